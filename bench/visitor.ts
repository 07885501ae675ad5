import type { Browser, BrowserContext, Page } from 'playwright-core';
import { openContext, signInAs } from '../e2e/browser.ts';
import { addProbe } from './page-probe.ts';

/** A person's machine is this much slower than the one that measures. */
const SLOWED = 4;

/** What a browser keeps of somebody who has signed in. */
export type SignedIn = Awaited<ReturnType<BrowserContext['storageState']>>;

/** Signs in as one of the demo. */
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

/** Works with a page, of a slow machine unless said otherwise, that has never been there before, but is signed in. */
export async function visit<T>(
  browser: Browser,
  url: string,
  signedIn: SignedIn,
  work: (page: Page) => Promise<T>,
  { slowed = SLOWED }: { slowed?: number } = {},
): Promise<T> {
  const context = await openContext(browser, url);
  try {
    await context.addInitScript(
      (items) => {
        for (const { name, value } of items) localStorage.setItem(name, value);
      },
      signedIn.origins.flatMap(({ localStorage: items }) => items),
    );
    await addProbe(context);
    const page = await context.newPage();
    const developer = await context.newCDPSession(page);
    await developer.send('Emulation.setCPUThrottlingRate', { rate: slowed });
    return await work(page);
  } finally {
    await context.close();
  }
}
