import type { Browser, BrowserContext, Page } from 'playwright-core';
import { openContext, signInAs } from '../harness/browser.ts';
import { addProbe, FIRST_BUS } from './page-probe.ts';

/** Slowdown of a user's machine against the measuring one. */
const SLOWED = 4;

/** Storage of a signed-in browser. */
export type SignedIn = Awaited<ReturnType<BrowserContext['storageState']>>;

/** Signs in as a demo user. */
export async function signInBrowser(
  browser: Browser,
  url: string,
  login: string,
): Promise<SignedIn> {
  const context = await openContext(browser, url);
  try {
    await signInAs(await context.newPage(), login);
    return await context.storageState();
  } finally {
    await context.close();
  }
}

/**
 * Works with a fresh, signed-in page, by default of a slow machine.
 * @param first the selector of what the page is opened for, for `firstPaintedMs`
 */
export async function visit<T>(
  browser: Browser,
  url: string,
  signedIn: SignedIn,
  work: (page: Page) => Promise<T>,
  { slowed = SLOWED, first = FIRST_BUS }: { slowed?: number; first?: string } = {},
): Promise<T> {
  const context = await openContext(browser, url);
  try {
    await context.addInitScript(
      (items) => {
        for (const { name, value } of items) localStorage.setItem(name, value);
      },
      signedIn.origins.flatMap(({ localStorage: items }) => items),
    );
    await addProbe(context, first);
    const page = await context.newPage();
    const developer = await context.newCDPSession(page);
    await developer.send('Emulation.setCPUThrottlingRate', { rate: slowed });
    return await work(page);
  } finally {
    await context.close();
  }
}
