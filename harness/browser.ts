import { type Me, me } from '@ridewatch/contract/auth';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { shiftDate } from '../scripts/shift-date.ts';
import { unpackBrowser } from './packed-browser.ts';
import { ask, tokensOf } from './product.ts';
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
 * A visit with an empty cache. `as` is the login of a demo user who is signed in; `stored` is the storage of an earlier
 * visit, with its session.
 */
export interface Visit {
  readonly as?: string;
  /** The page may register its service worker, whose requests no route of a test sees. */
  readonly installs?: boolean;
  readonly phone?: boolean;
  readonly dark?: boolean;
  /** Whether fingers press, not a pointer. */
  readonly touch?: boolean;
  readonly stored?: Awaited<ReturnType<BrowserContext['storageState']>>;
}

/** Opens a context, by default of a desktop; pages have the server's clock, CLOCK_OFFSET_MS. */
export async function openContext(
  browser: Browser,
  url: string,
  options: Visit = {},
): Promise<BrowserContext> {
  const { as } = options;
  const stored = as === undefined ? options.stored : stateOf(url, await sessionOf(url, as));
  const context = await browser.newContext({
    baseURL: url,
    ...(stored === undefined ? {} : { storageState: stored }),
    locale: 'ru-RU',
    ...lookOf(options),
    serviceWorkers: options.installs ? 'allow' : 'block',
    hasTouch: options.touch ?? false,
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

/** The size and colours of a visit's pages. */
export function lookOf({ phone, dark }: Pick<Visit, 'phone' | 'dark'>) {
  return {
    viewport: phone ? { width: 390, height: 844 } : { width: 1680, height: 1050 },
    colorScheme: dark ? ('dark' as const) : ('light' as const),
  };
}

/** The key under which web/src/core/session.ts stores a session. */
export const SESSION_KEY = 'ridewatch.session';

/** Signs in, without a page. @returns the session as the page stores it */
export async function sessionOf(url: string, login: string): Promise<string> {
  const { access_token: access, refresh_token: refresh } = await tokensOf(url, login);
  const user = await ask<Me>(url, access, 'GET', me.path);
  return JSON.stringify({ signedIn: { access, refresh, user }, reason: null });
}

const stateOf = (url: string, session: string): Visit['stored'] => ({
  cookies: [],
  origins: [{ origin: url, localStorage: [{ name: SESSION_KEY, value: session }] }],
});

/** Submits a login and password on the sign-in page. */
export async function typeSignIn(page: Page, login: string, password = 'demo'): Promise<void> {
  await page.locator('input[autocomplete=username]').fill(login);
  await page.locator('input[type=password]').fill(password);
  await page.locator('button[type=submit]').click();
}

/** Opens the bus list, which asks to sign in, and signs in. */
export async function signInAs(page: Page, login: string): Promise<void> {
  await page.goto('/buses');
  await page.waitForURL(/\/login/);
  await typeSignIn(page, login);
  await page.waitForURL((address) => address.pathname !== '/login');
}
