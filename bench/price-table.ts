// W9: the price table of a long route in a real browser, slowed four times: the time from its prices to its paint, from
// a key to its paint, and of a pasted block.
import type { RouteStop } from '@ridewatch/contract/routes';
import type { Browser, Page } from 'playwright-core';
import { openBrowser } from '../harness/browser.ts';
import { ask, type Product, setUpFleet, signIn, startProduct } from '../harness/product.ts';
import { type Bench, median, type Result, resultOf } from './measure.ts';
import { countNodes } from './page-probe.ts';
import { longRoute, STOPS_A_WAY } from './sample-data.ts';
import { type SignedIn, signInBrowser, visit } from './visitor.ts';

const ROUNDS = 7;
const MOST = { tableMs: 300, keyMs: 100 };
const TYPED = ['5', '5', ',', '5', 'Enter', 'ArrowRight', '6', 'Tab'] as const;

interface TableVisit {
  /** Time from the last byte of the prices to their paint. */
  readonly tableMs: number;
  /** Time of the slowest key until its paint. */
  readonly keyMs: number;
  /** Time of a pasted block of 20 × 20 until its paint. */
  readonly pasteMs: number;
  readonly nodes: number;
}

/** Measures the pricing of a route of sixty stops in each direction. */
export const priceTable: Bench = {
  ids: ['W9'],
  run: async () => {
    const product = await startProduct();
    const browser = await openBrowser(process.stderr);
    try {
      const [unit] = await setUpFleet(product.url, longRoute());
      if (unit === undefined) throw new Error('the fleet has no unit');
      await fillTable(product, unit.bus_id);
      const admin = await signInBrowser(browser, product.url, 'admin');
      const rounds: TableVisit[] = [];
      for (let round = 0; round <= ROUNDS; round += 1) {
        const seen = await useTable(browser, product, admin, unit.bus_id);
        if (round > 0) rounds.push(seen);
      }
      return rowsOf(rounds);
    } finally {
      await browser.close();
      await product.remove();
    }
  },
};

function rowsOf(rounds: readonly TableVisit[]): Result[] {
  const size = `${STOPS_A_WAY} × ${STOPS_A_WAY}`;
  const row = (what: string, counters: Record<string, number> = {}) => ({
    id: 'W9',
    what: `${what}, ${size}`,
    unit: 'ms',
    target: '≤ 1',
    counters,
  });
  const ofMost = (key: 'tableMs' | 'keyMs' | 'pasteMs', most: number) =>
    rounds.map((round) => ({ product: round[key], limit: most }));
  const nodes = { 'DOM nodes': median(rounds.map((round) => round.nodes)) };
  return [
    resultOf(
      row('price table, from its prices to its paint', nodes),
      ofMost('tableMs', MOST.tableMs),
    ),
    resultOf(row('price table, slowest key'), ofMost('keyMs', MOST.keyMs)),
    resultOf(row('price table, a block of 400 pasted'), ofMost('pasteMs', MOST.tableMs)),
  ];
}

async function fillTable({ url }: Product, busId: number): Promise<void> {
  const token = await signIn(url, 'admin');
  const { group } = await ask<{ group: { id: number } }>(
    url,
    token,
    'GET',
    `/api/bus/info/${busId}`,
  );
  const { items } = await ask<{ items: RouteStop[] }>(
    url,
    token,
    'GET',
    `/api/groups/${group.id}/stops`,
  );
  const ids = items.slice(0, STOPS_A_WAY).map(({ id }) => id);
  const costs = ids.flatMap((from) =>
    ids
      .filter((to) => to !== from)
      .map((to) => ({ from_stop_id: from, to_stop_id: to, cost: '1040.50' })),
  );
  await ask(url, token, 'PUT', '/api/route-cost', { group_id: group.id, items: costs });
}

function useTable(
  browser: Browser,
  { url }: Product,
  signedIn: SignedIn,
  busId: number,
): Promise<TableVisit> {
  return visit(browser, url, signedIn, async (page) => {
    await watchPaint(page, '[data-cell="0:2"]');
    await page.goto(`/bus/${busId}/route?part=price`);
    const tableMs = await paintedAfter(page, '/api/route-cost/group/');
    const nodes = await countNodes(page);
    await page.locator('[data-cell="1:3"]').click();
    const keys: number[] = [];
    for (const key of TYPED) keys.push(await keyToPaintMs(page, key));
    await page.locator('[data-cell="2:5"]').click();
    const pasteMs = await pasteMsOf(page, 20);
    return { tableMs, keyMs: Math.max(...keys), pasteMs, nodes };
  });
}

async function watchPaint(page: Page, selector: string): Promise<void> {
  await page.addInitScript((wanted) => {
    const observer = new MutationObserver(() => {
      if (!/\d/.test(document.querySelector(wanted)?.textContent ?? '')) return;
      observer.disconnect();
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => performance.mark('table-painted');
        port2.postMessage(null);
      });
    });
    observer.observe(document, { childList: true, subtree: true, characterData: true });
  }, selector);
}

async function paintedAfter(page: Page, call: string): Promise<number> {
  const handle = await page.waitForFunction((path) => {
    const [mark] = performance.getEntriesByName('table-painted');
    const answer = (performance.getEntriesByType('resource') as PerformanceResourceTiming[]).find(
      ({ name }) => name.includes(path),
    );
    return mark && answer && Math.max(mark.startTime - answer.responseEnd, 1);
  }, call);
  return (await handle.jsonValue()) ?? Number.NaN;
}

/** Time from a key to the paint of its frame. */
async function keyToPaintMs(page: Page, key: string): Promise<number> {
  await arm(page, 'keydown');
  await page.keyboard.press(key);
  return painted(page);
}

async function pasteMsOf(page: Page, size: number): Promise<number> {
  await arm(page, 'paste');
  await page.evaluate((side) => {
    const row = Array.from({ length: side }, (_, n) => `${n + 30},50`).join('\t');
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', Array.from({ length: side }, () => row).join('\n'));
    const paste = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
    document.activeElement?.dispatchEvent(paste);
  }, size);
  return painted(page);
}

async function arm(page: Page, event: 'keydown' | 'paste'): Promise<void> {
  await page.evaluate((name) => {
    performance.clearMeasures('input-painted');
    addEventListener(
      name,
      ({ timeStamp }) => {
        requestAnimationFrame(() => {
          const { port1, port2 } = new MessageChannel();
          port1.onmessage = () => performance.measure('input-painted', { start: timeStamp });
          port2.postMessage(null);
        });
      },
      { once: true, capture: true },
    );
  }, event);
}

async function painted(page: Page): Promise<number> {
  const handle = await page.waitForFunction(
    () => performance.getEntriesByName('input-painted')[0]?.duration,
  );
  return (await handle.jsonValue()) ?? Number.NaN;
}
