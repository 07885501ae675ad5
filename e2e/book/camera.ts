// Takes the pictures of a product's screens. A page is opened once for a device, a language and a state; the themes
// are switched in it.
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { SESSION_KEY, typeSignIn } from '../../harness/browser.ts';
import { shiftDate } from '../../scripts/shift-date.ts';
import type { Shown } from './products.ts';
import type { View } from './views.ts';
import { LIMIT_MS, untilComplete, watchRequests } from './waiting.ts';

export const devices = {
  desktop: { width: 1440, height: 900 },
  phone: { width: 390, height: 844 },
} as const;
export const themes = ['light', 'dark'] as const;
export const languages = { ru: 'ru_RU', en: 'en_US' } as const;

export type Device = keyof typeof devices;
export type Theme = (typeof themes)[number];
export type Language = keyof typeof languages;

export interface Visitor {
  readonly shown: Shown;
  readonly device: Device;
  readonly language: Language;
  /** Calls that read data are answered with 500. */
  readonly isFailing?: boolean;
}

/** Signs in and returns a page for the views of a product. Close its context afterwards. */
export async function openVisitor(browser: Browser, visitor: Visitor): Promise<Page> {
  const { shown, device, language, isFailing = false } = visitor;
  const context = await browser.newContext({
    baseURL: shown.product.url,
    locale: 'ru-RU',
    viewport: devices[device],
    reducedMotion: 'reduce',
  });
  const offsetMs = Number(process.env.CLOCK_OFFSET_MS || '0');
  if (offsetMs !== 0) await context.addInitScript(shiftDate, offsetMs);
  await context.addInitScript((value) => {
    localStorage.setItem('ridewatch.language', JSON.stringify(value));
  }, languages[language]);
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  await page.goto('/login');
  await typeSignIn(page, shown.login, shown.password);
  await page.waitForURL((address) => address.pathname !== '/login');
  // The bell asks some seconds later. The menus of all later pages show what it was told.
  await page.waitForFunction(
    (key) => JSON.parse(localStorage.getItem(key) ?? '').signedIn?.menu !== undefined,
    SESSION_KEY,
  );
  if (isFailing) await failReads(context);
  return page;
}

// The user is known since sign-in; what a screen reads fails.
async function failReads(context: BrowserContext): Promise<void> {
  const body = JSON.stringify({ error: 'internal', message: 'Internal Server Error' });
  await context.route(/\/api\/(?!auth\/|settings)/, (route) =>
    route.fulfill({ status: 500, contentType: 'application/json', body }),
  );
}

/**
 * Opens a view in the light theme.
 * @throws NotComplete if it does not become complete
 */
export async function openView(page: Page, view: View, shown: Shown): Promise<void> {
  if (view.ends === 'by sign-out') await page.evaluate(signOut);
  await page.emulateMedia({ colorScheme: 'light' });
  const requests = watchRequests(page);
  const wanted = { open: requests.open, isCounted: shown.isCounted };
  try {
    await page.goto(view.address(shown.subject));
    await page.locator('#root > *').first().waitFor({ state: 'attached' });
    await untilComplete(page, wanted);
    if (view.act === undefined) return;
    await view.act(page);
    await untilComplete(page, wanted);
  } finally {
    requests.stop();
  }
}

const signOut = (): void => {
  localStorage.removeItem('ridewatch.session');
  sessionStorage.removeItem('ridewatch.view');
};

/**
 * Shows an open view in a theme, which its maps and charts follow some frames later.
 * @param limitMs how long to wait for that
 * @throws NotComplete if it does not become complete
 */
export async function showTheme(
  page: Page,
  theme: Theme,
  { isCounted }: Shown,
  limitMs = LIMIT_MS,
): Promise<void> {
  await page.emulateMedia({ colorScheme: theme });
  await page.waitForFunction((wanted) => document.documentElement.dataset.theme === wanted, theme);
  await page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
  );
  await untilComplete(page, { isCounted, limitMs });
}

/** Takes a picture of what a page shows now. @returns a PNG */
export function takePicture(page: Page): Promise<Buffer> {
  return page.screenshot({ animations: 'disabled', caret: 'hide' });
}
