// Visits of stories, in contexts and pages that are used again: a new page takes a new process, which compiles the
// product's code anew and takes longer than most stories.
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { lookOf, openContext, SESSION_KEY, sessionOf, type Visit } from './browser.ts';

/** An address of the product without its code. The page keeps its process there. */
const REST = '/healthz';
/** The events that stories listen to. */
const PAGE_EVENTS = ['request', 'response', 'pageerror', 'console', 'dialog', 'download'];

type Options = Omit<Visit, 'as' | 'stored'>;

/** A context between two visits. */
interface Kept {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly newPage: () => Promise<Page>;
  readonly closeForGood: () => Promise<void>;
}

const keptOf = new WeakMap<Browser, Map<string, Kept[]>>();

/**
 * Begins a visit with the storage and rights of a new context; its first page may have the cache of an earlier one. Where
 * that matters, or where a story adds scripts, `openContext` opens a new one. `close` ends the visit.
 */
export async function openVisit(
  browser: Browser,
  url: string,
  { as, ...options }: Options & Pick<Visit, 'as'> = {},
): Promise<BrowserContext> {
  const free = freeOf(browser, JSON.stringify([url, options]));
  const kept = free.pop() ?? (await openKept(browser, url, options));
  const { context, page } = kept;
  if (as !== undefined) {
    const session = await sessionOf(url, as);
    await page.evaluate(([key, value]) => localStorage.setItem(key, value), [
      SESSION_KEY,
      session,
    ] as const);
  }
  let isGiven = false;
  let isLeft = false;
  context.newPage = async () => {
    if (isGiven) return kept.newPage();
    isGiven = true;
    return page;
  };
  context.close = async () => {
    if (isLeft) return;
    isLeft = true;
    // A page that was closed, or whose server is gone, is of no more use.
    const isUsable = await leave(kept, options).then(
      () => true,
      () => false,
    );
    if (isUsable) free.push(kept);
    else await kept.closeForGood();
  };
  return context;
}

function freeOf(browser: Browser, key: string): Kept[] {
  const all = keptOf.get(browser) ?? new Map<string, Kept[]>();
  keptOf.set(browser, all);
  const free = all.get(key) ?? [];
  all.set(key, free);
  return free;
}

async function openKept(browser: Browser, url: string, options: Options): Promise<Kept> {
  const context = await openContext(browser, url, options);
  const newPage = context.newPage.bind(context);
  const closeForGood = context.close.bind(context);
  const page = await newPage();
  await page.goto(REST);
  return { context, page, newPage, closeForGood };
}

// Leaves the page as a new one would be.
async function leave({ context, page }: Kept, options: Options): Promise<void> {
  for (const event of PAGE_EVENTS) page.removeAllListeners(event);
  for (const other of context.pages()) {
    await other.unrouteAll({ behavior: 'ignoreErrors' });
    if (other !== page) await other.close();
  }
  await context.unrouteAll({ behavior: 'ignoreErrors' });
  await context.setOffline(false);
  await context.clearPermissions();
  await context.clearCookies();
  await page.goto(REST);
  await page.evaluate(() => {
    localStorage.clear();
    sessionStorage.clear();
  });
  const { viewport, colorScheme } = lookOf(options);
  await page.setViewportSize(viewport);
  await page.emulateMedia({ colorScheme, reducedMotion: null });
}
