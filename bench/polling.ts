// W7: pages that stay open. Their timers run sixty times as fast, so that an hour of polling takes a minute. The memory
// of a page must not grow, and a hidden page makes no requests.
import { setTimeout as pause } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import { openBrowser, openContext } from '../harness/browser.ts';
import { sendRecords, setUpFleet, startProduct, waitFor } from '../harness/product.ts';
import { type Bench, type Result, resultOf } from './measure.ts';
import { planOf } from './sample-data.ts';
import { type SignedIn, signInBrowser } from './visitor.ts';

const FASTER = 60;
const BUSES = 250;
const SECOND_MS = 1000;
const HOUR_S = 3600;
/** Polls before the measurement: caches and compiled code grow until about 350 polls. */
const WARM_POLLS = 400;
const HIDDEN_S = 600;
const LIMIT_MS = 600_000;

interface Polled {
  readonly what: string;
  readonly path: string;
  /** The counted call, and its interval, s. */
  readonly call: string;
  readonly everyS: number;
  readonly isThere: string;
}

/** Measures what an hour leaves in a page. */
export const polling: Bench = {
  ids: ['W7'],
  run: async () => {
    const product = await startProduct();
    const browser = await openBrowser(process.stderr);
    try {
      const [counted] = await setUpFleet(product.url, planOf(BUSES));
      if (counted === undefined) throw new Error('no bus');
      await sendRecords(product.url, counted.credential, recentFragments());
      const admin = await signInBrowser(browser, product.url, 'admin');
      const pages: Polled[] = [
        {
          what: 'bus list',
          path: '/buses',
          call: '/api/bus_list',
          everyS: 8,
          isThere: 'a[href^="/bus/"]',
        },
        {
          what: 'count tab',
          path: `/bus/${counted.bus_id}`,
          call: '/api/segments/day-segments',
          everyS: 5,
          isThere: '[data-fragments] li button',
        },
      ];
      const results: Result[] = [];
      // One after the other, because both at once would compete for the CPU.
      for (const page of pages) results.push(...(await stay(browser, product.url, admin, page)));
      return results;
    } finally {
      await browser.close();
      await product.remove();
    }
  },
};

async function stay(
  browser: Browser,
  url: string,
  stored: SignedIn,
  { what, path, call, everyS, isThere }: Polled,
): Promise<Result[]> {
  const context = await openContext(browser, url, { stored });
  try {
    await context.addInitScript(hastenTimers, FASTER);
    const page = await context.newPage();
    let requests = 0;
    let polls = 0;
    page.on('request', () => {
      requests += 1;
    });
    page.on('requestfinished', (request) => {
      if (new URL(request.url()).pathname === call) polls += 1;
    });
    const poll = (times: number): Promise<void> => {
      const until = polls + times;
      return waitFor(async () => polls >= until, `${times} polls of ${what}`, LIMIT_MS);
    };
    await page.goto(path);
    await page.locator(isThere).first().waitFor();
    await poll(WARM_POLLS);
    const before = await keptBy(page);
    const requestsBefore = requests;
    await poll(HOUR_S / everyS);
    const seen = requests - requestsBefore;
    const after = await keptBy(page);
    await page.evaluate(() => window.hide());
    // Running requests may still end.
    await page.waitForLoadState('networkidle');
    requests = 0;
    await pause((HIDDEN_S * SECOND_MS) / FASTER);
    const hidden = requests;
    const row = (more: string, unit: string, target: string) => ({
      id: 'W7',
      what: `${what}, ${more}`,
      unit,
      target,
      counters: { polls: HOUR_S / everyS, requests: seen },
    });
    return [
      resultOf(row('heap after an hour of polling ÷ before', 'bytes', '≤ 1.05'), [
        { product: after.heapBytes, limit: before.heapBytes },
      ]),
      resultOf(row('listeners after an hour ÷ before', 'listeners', '≤ 1'), [
        { product: after.listeners, limit: before.listeners },
      ]),
      resultOf(row('DOM nodes after an hour ÷ before', 'nodes', '≤ 1.05'), [
        { product: after.nodes, limit: before.nodes },
      ]),
      resultOf(row('requests while hidden for ten minutes ÷ seen', 'requests', '≤ 0'), [
        { product: hidden, limit: (seen * HIDDEN_S) / HOUR_S },
      ]),
    ];
  } finally {
    await context.close();
  }
}

/** Memory of a page after garbage collection. */
async function keptBy(page: Page) {
  const developer = await page.context().newCDPSession(page);
  await developer.send('Performance.enable');
  for (let time = 0; time < 3; time += 1) await developer.send('HeapProfiler.collectGarbage');
  const { metrics } = await developer.send('Performance.getMetrics');
  const metric = (wanted: string): number =>
    metrics.find(({ name }) => name === wanted)?.value ?? Number.NaN;
  await developer.detach();
  return {
    heapBytes: metric('JSHeapUsedSize'),
    listeners: metric('JSEventListeners'),
    nodes: metric('Nodes'),
  };
}

declare global {
  interface Window {
    /** Hides the page. */
    hide(): void;
  }
}

function hastenTimers(faster: number): void {
  const { setTimeout: wait, setInterval: repeat } = window;
  window.setTimeout = ((work: () => void, ms = 0, ...more: []) =>
    wait(work, ms / faster, ...more)) as typeof window.setTimeout;
  window.setInterval = ((work: () => void, ms = 0, ...more: []) =>
    repeat(work, ms / faster, ...more)) as typeof window.setInterval;
  window.hide = () => {
    Object.defineProperty(document, 'hidden', { get: () => true });
    Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' });
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
  };
}

function recentFragments(): Readonly<Record<string, unknown>>[] {
  const iso = (ms: number): string => new Date(ms).toISOString();
  return Array.from({ length: 60 }, (_, index) => {
    const endMs = Date.now() - (index + 1) * 60 * SECOND_MS;
    const startMs = endMs - 20 * SECOND_MS;
    return {
      type: 'segment',
      time: iso(endMs),
      camera: 'door1',
      start_time: iso(startMs),
      end_time: iso(endMs),
      video: 'kept',
    };
  });
}
