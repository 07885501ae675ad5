// Measures inside a page. Times are by the page's clock, ms since the start of its navigation.
import type { BrowserContext, Page } from 'playwright-core';

/** A link to a bus: the list is painted when the first one is. */
export const FIRST_BUS = 'a[href^="/bus/"]';
const LONG_FRAME_MS = 50;

interface Probe {
  shift: number;
  firstMs: number | undefined;
  keyMs: number | undefined;
  wholeMs: number | undefined;
  frames: number[];
  watchesFrames: boolean;
}

declare global {
  interface Window {
    probe: Probe;
  }
}

/**
 * Adds the probe to every page of a context from its start.
 * @param first the selector of what a page is opened for
 */
export async function addProbe(context: BrowserContext, first: string): Promise<void> {
  await context.addInitScript((selector) => {
    const probe: Probe = {
      shift: 0,
      firstMs: undefined,
      keyMs: undefined,
      wholeMs: undefined,
      frames: [],
      watchesFrames: false,
    };
    window.probe = probe;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & LayoutShift)[]) {
        if (!entry.hadRecentInput) probe.shift += entry.value;
      }
    }).observe({ type: 'layout-shift', buffered: true });
    interface LayoutShift {
      readonly value: number;
      readonly hadRecentInput: boolean;
    }
    // A message that is posted in a frame arrives after its paint.
    const afterPaint = (tell: () => void): void => {
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = tell;
        port2.postMessage(null);
      });
    };
    const observer = new MutationObserver(() => {
      if (document.querySelector(selector) === null) return;
      observer.disconnect();
      afterPaint(() => {
        probe.firstMs = performance.now();
      });
    });
    observer.observe(document, { childList: true, subtree: true });
  }, first);
}

/** Timeout of a wait for a page, ms: a slowed page of 5,000 buses on a busy machine takes seconds. */
const LIMIT_MS = 60_000;

/**
 * Measures when the first of what the page was opened for was painted.
 * @throws Error that names what was missing
 */
export async function firstPaintedMs(page: Page): Promise<number> {
  return momentOf(page, 'firstMs', async () => 'the first bus or figure');
}

async function momentOf(
  page: Page,
  name: 'firstMs' | 'keyMs' | 'wholeMs',
  what: () => Promise<string>,
): Promise<number> {
  const handle = await page
    .waitForFunction((key) => window.probe[key] !== undefined, name, { timeout: LIMIT_MS })
    .catch(async (cause: unknown) => {
      throw new Error(`timeout of ${LIMIT_MS} ms while waiting for ${await what()}`, { cause });
    });
  await handle.dispose();
  return (await page.evaluate((key) => window.probe[key], name)) ?? Number.NaN;
}

/**
 * Presses a key in the focused search.
 * @param count number of buses that the list names afterwards
 * @returns times from the key, ms: to the paint of that list, and to the paint after which no row waits for its details
 * @throws Error that names the expected count and the page's text
 */
export async function keyToPaintMs(
  page: Page,
  key: string,
  count: number,
): Promise<{ keyMs: number; wholeMs: number }> {
  await page.evaluate((wanted) => {
    window.probe.keyMs = undefined;
    window.probe.wholeMs = undefined;
    const isShown = (): boolean => {
      // The browser separates thousands by a space, or by a comma without Russian locale data.
      const numbers = [...document.querySelectorAll('[role=status]')].map(
        (one) => /^[\d\s.,]+/.exec(one.textContent.trim())?.[0].replace(/\D/g, '') ?? '',
      );
      return numbers.some((number) => number !== '' && Number(number) === wanted);
    };
    const onKey = ({ timeStamp }: KeyboardEvent): void => {
      const afterPaint = (isThere: () => boolean, tell: (ms: number) => void): void => {
        const look = (): void => {
          if (!isThere()) {
            requestAnimationFrame(look);
            return;
          }
          const { port1, port2 } = new MessageChannel();
          port1.onmessage = () => tell(performance.now() - timeStamp);
          port2.postMessage(null);
        };
        requestAnimationFrame(look);
      };
      const isWhole = (): boolean => document.querySelector('[data-late]') === null;
      afterPaint(isShown, (keyMs) => {
        window.probe.keyMs = keyMs;
        if (isWhole()) window.probe.wholeMs = keyMs;
        else
          afterPaint(isWhole, (wholeMs) => {
            window.probe.wholeMs = wholeMs;
          });
      });
    };
    addEventListener('keydown', onKey, { once: true, capture: true });
  }, count);
  await page.keyboard.press(key);
  const keyMs = await momentOf(page, 'keyMs', async () => {
    const said = await page.locator('[role=status]').allTextContents();
    const typed = await page.locator('input[type=text]').first().inputValue();
    return `${count} buses after '${key}'; the search holds '${typed}', the page says '${said.join("', '")}'`;
  });
  return {
    keyMs,
    wholeMs: await momentOf(page, 'wholeMs', async () => `the details after '${key}'`),
  };
}

/**
 * Watches frames during some work.
 * @returns the share of frames that took longer than LONG_FRAME_MS
 */
export async function longFrames(page: Page, work: () => Promise<void>): Promise<number> {
  await page.evaluate(() => {
    const { probe } = window;
    probe.frames = [];
    probe.watchesFrames = true;
    let last: number | undefined;
    const next = (ms: number): void => {
      if (last !== undefined) probe.frames.push(ms - last);
      last = ms;
      if (probe.watchesFrames) requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
  });
  await work();
  const frames = await page.evaluate(() => {
    window.probe.watchesFrames = false;
    return window.probe.frames;
  });
  return frames.filter((ms) => ms > LONG_FRAME_MS).length / frames.length;
}

/** Cumulative layout shift since the page was opened. */
export function layoutShift(page: Page): Promise<number> {
  return page.evaluate(() => window.probe.shift);
}

/** Number of elements of the page. */
export function countNodes(page: Page): Promise<number> {
  return page.evaluate(() => document.querySelectorAll('*').length);
}

/** Waits until the page makes no more requests and has drawn the answers. */
export async function settle(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle');
}
