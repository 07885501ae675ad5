// Takes the pictures of a product's screens. A page is opened once for a device, a language and a state; the themes
// are switched in it.
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { typeSignIn } from '../../harness/browser.ts';
import { shiftDate } from '../../scripts/shift-date.ts';
import type { Shown } from './products.ts';
import type { View } from './views.ts';

export const devices = {
  desktop: { width: 1440, height: 900 },
  phone: { width: 390, height: 844 },
} as const;
export const themes = ['light', 'dark'] as const;
export const languages = { ru: 'ru_RU', en: 'en_US' } as const;

export type Device = keyof typeof devices;
export type Theme = (typeof themes)[number];
export type Language = keyof typeof languages;

/** After this long without a request a page is complete, ms. */
const QUIET_MS = 250;
/** A page that asks all the time is shown as it is, ms. */
const LONGEST_MS = 5_000;

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

/** Opens a view and waits until it is complete. */
export async function openView(page: Page, view: View, { subject }: Shown): Promise<void> {
  if (view.ends === 'by sign-out') await page.evaluate(signOut);
  // A map follows the theme some time later.
  await page.emulateMedia({ colorScheme: 'light' });
  const isQuiet = watchRequests(page);
  await page.goto(view.address(subject));
  await page.locator('#root > *').first().waitFor({ state: 'attached' });
  await isQuiet();
  await view.act?.(page);
  await page
    .waitForFunction(isComplete, undefined, { timeout: LONGEST_MS })
    .catch((error: Error) => {
      // The picture shows what was missing.
      process.stderr.write(`${page.url()} is not complete: ${error.message}\n`);
    });
  await drawMaps(page);
}

const signOut = (): void => {
  localStorage.removeItem('ridewatch.session');
  sessionStorage.removeItem('ridewatch.view');
};

/** Waits until the maps of the page, which draw in the frames after a change, are drawn. */
async function drawMaps(page: Page): Promise<void> {
  await page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
  );
  await page
    .waitForFunction(
      () => document.querySelector('.maplibregl-map:not([data-drawn])') === null,
      undefined,
      { timeout: LONGEST_MS },
    )
    .catch((error: Error) => {
      process.stderr.write(`a map of ${page.url()} is not drawn: ${error.message}\n`);
    });
}

// A map says that it loads until it is drawn.
const isComplete = (): boolean =>
  document.querySelector('main [aria-busy=true]') === null &&
  !/Карта загружается|map is loading/i.test(document.body.textContent ?? '');

function watchRequests(page: Page): () => Promise<void> {
  const open = new Set<unknown>();
  const quiet = Promise.withResolvers<void>();
  let timer: NodeJS.Timeout | undefined;
  const waitOn = () => {
    clearTimeout(timer);
    if (open.size === 0) timer = setTimeout(quiet.resolve, QUIET_MS);
  };
  const begin = (request: unknown) => {
    open.add(request);
    waitOn();
  };
  const end = (request: unknown) => {
    open.delete(request);
    waitOn();
  };
  page.on('request', begin).on('requestfinished', end).on('requestfailed', end);
  return async () => {
    const longest = setTimeout(quiet.resolve, LONGEST_MS);
    waitOn();
    await quiet.promise;
    clearTimeout(timer);
    clearTimeout(longest);
    page.off('request', begin).off('requestfinished', end).off('requestfailed', end);
  };
}

/** Takes a picture in a theme. @returns a PNG */
export async function takePicture(page: Page, theme: Theme): Promise<Buffer> {
  await page.emulateMedia({ colorScheme: theme });
  // Any drawing on a canvas follows in the next frame.
  await drawMaps(page);
  return page.screenshot({ animations: 'disabled', caret: 'hide' });
}
