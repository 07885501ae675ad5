import chromiumPackage from '@sparticuz/chromium';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';

/** Keeps Chromium from calling home at every start. */
const QUIET = [
  '--no-sandbox',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-quic',
  '--no-first-run',
];

/** Starts the browser that the set-up found, else the one that came as a package. */
export async function openBrowser(): Promise<Browser> {
  const found = process.env.CHROMIUM_PATH;
  return found === undefined
    ? chromium.launch({
        executablePath: await chromiumPackage.executablePath(),
        args: [...chromiumPackage.args, ...QUIET],
      })
    : chromium.launch({ executablePath: found, args: QUIET });
}

/** A person at a desktop, signed in or not. */
export async function openContext(
  browser: Browser,
  url: string,
  options: { phone?: boolean; dark?: boolean } = {},
): Promise<BrowserContext> {
  return browser.newContext({
    baseURL: url,
    locale: 'ru-RU',
    viewport: options.phone ? { width: 390, height: 844 } : { width: 1680, height: 1050 },
    colorScheme: options.dark ? 'dark' : 'light',
  });
}

/** Types a login and password into the sign-in page and sends them. */
export async function typeSignIn(page: Page, login: string, password = 'demo'): Promise<void> {
  await page.locator('input[autocomplete=username]').fill(login);
  await page.locator('input[type=password]').fill(password);
  await page.locator('button[type=submit]').click();
}

/** Opens the sign-in page and signs in. */
export async function signInAs(page: Page, login: string): Promise<void> {
  await page.goto('/login');
  await typeSignIn(page, login);
  await page.waitForURL((address) => address.pathname !== '/login');
}
