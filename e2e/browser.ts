import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { shiftDate } from '../scripts/shift-date.ts';
import { unpackBrowser } from './packed-browser.ts';
import { noteFault } from './story-faults.ts';

/** Lets Chromium run as root, without background requests. */
const ARGS = [
  '--no-sandbox',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-quic',
  '--no-first-run',
];

/** A page that lets a test wait longer hangs; alone the slowest takes a few seconds. */
const HANGS_MS = 60_000;

/**
 * Starts the browser that the set-up found, else the packaged one.
 * @param aside stream that gets the name of the browser
 */
export async function openBrowser(aside: NodeJS.WriteStream = process.stdout): Promise<Browser> {
  const found = process.env.CHROMIUM_PATH || undefined;
  const browser =
    found === undefined
      ? await openPackedBrowser()
      : await chromium.launch({ executablePath: found, args: ARGS });
  const name = found ?? 'the one of @sparticuz/chromium';
  aside.write(`browser: ${name}, version ${browser.version()}\n`);
  return browser;
}

// The package's own arguments are for cloud functions: with --single-process the browser crashes at its second context,
// and no user's browser runs without web security.
async function openPackedBrowser(): Promise<Browser> {
  const { executablePath, env } = await unpackBrowser();
  return chromium.launch({ executablePath, args: ARGS, env: { ...process.env, ...env } });
}

/** Whether a browser can play the videos of the product, H.264 in MP4. */
export async function playsVideos(browser: Browser): Promise<boolean> {
  const page = await browser.newPage();
  try {
    return await page.evaluate(
      () => document.createElement('video').canPlayType('video/mp4; codecs="avc1.42E01E"') !== '',
    );
  } finally {
    await page.close();
  }
}

/**
 * Whether a browser loads a module again that it could not load. Chromium 153 does not until the page is reloaded, 156
 * does; the product then asks to reload the page.
 */
export async function loadsModulesAgain(browser: Browser): Promise<boolean> {
  const page = await browser.newPage();
  try {
    let isFirst = true;
    await page.route('http://module.test/one.js', async (route) => {
      if (isFirst) await route.abort();
      else {
        const headers = { 'access-control-allow-origin': '*' };
        await route.fulfill({ contentType: 'text/javascript', headers, body: 'export {};' });
      }
      isFirst = false;
    });
    // A text, because vitest would put its own import in place of the browser's.
    const load = () =>
      page.evaluate<boolean>("import('http://module.test/one.js').then(() => true, () => false)");
    return !(await load()) && (await load());
  } finally {
    await page.close();
  }
}

/** A visit with an empty cache. `stored` is the storage of an earlier visit, with its session. */
export interface Visit {
  readonly phone?: boolean;
  readonly dark?: boolean;
  readonly stored?: Awaited<ReturnType<BrowserContext['storageState']>>;
}

/** Opens a context, by default of a desktop; pages have the server's clock, CLOCK_OFFSET_MS. */
export async function openContext(
  browser: Browser,
  url: string,
  options: Visit = {},
): Promise<BrowserContext> {
  const context = await browser.newContext({
    baseURL: url,
    ...(options.stored === undefined ? {} : { storageState: options.stored }),
    locale: 'ru-RU',
    viewport: options.phone ? { width: 390, height: 844 } : { width: 1680, height: 1050 },
    colorScheme: options.dark ? 'dark' : 'light',
  });
  const offsetMs = Number(process.env.CLOCK_OFFSET_MS || '0');
  if (offsetMs !== 0) await context.addInitScript(shiftDate, offsetMs);
  context.on('weberror', (fault) => noteFault(`the page threw ${fault.error()}`));
  context.setDefaultTimeout(HANGS_MS);
  const close = context.close.bind(context);
  let isClosed = false;
  // A route of a test may be answering a request now; without its page it would fail after the test.
  context.close = async (options) => {
    if (isClosed) return;
    isClosed = true;
    for (const page of context.pages()) await page.unrouteAll({ behavior: 'ignoreErrors' });
    await context.unrouteAll({ behavior: 'ignoreErrors' });
    await close(options);
  };
  return context;
}

/** Submits a login and password on the sign-in page. */
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
