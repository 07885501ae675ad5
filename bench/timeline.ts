// W5: a day of 5,000 fragments on a bus's page in a real browser, slowed four times: the time until the fragment under
// the pointer is named, until a fragment is chosen, and the share of long frames during zooming and moving.
import { setTimeout as pause } from 'node:timers/promises';
import { addDays, dayOf, dayRange } from '@ridewatch/contract/day';
import type { Locator, Page } from 'playwright-core';
import { openBrowser } from '../harness/browser.ts';
import { plainFleet } from '../harness/plain-fleet.ts';
import { type Product, sendRecords, setUpFleet, startProduct } from '../harness/product.ts';
import { type Bench, median, ofBudget, type Result } from './measure.ts';
import { longFrames, settle } from './page-probe.ts';
import { signInBrowser, visit } from './visitor.ts';

const CAMERAS = 4;
const OF_A_CAMERA = 1250;
const EVERY_S = 60;
const LONG_S = 15;
const ZONE = 'Europe/Moscow';
const MOST = { hoverMs: 50, selectMs: 200, longFrames: 0.01 };
const HOVERS = 20;
const WHEELS = 60;
const BETWEEN_MS = 40;
/** The first row, below the axis, px from the top. */
const ROW_PX = 32;

/** Measures the timeline of a full day. */
export const timeline: Bench = {
  ids: ['W5'],
  run: async () => {
    const product = await startProduct();
    const browser = await openBrowser(process.stderr);
    try {
      const date = addDays(dayOf(Date.now(), ZONE), -1);
      const busId = await sendFullDay(product, date);
      const signedIn = await signInBrowser(browser, product.url, 'admin');
      return await visit(browser, product.url, signedIn, async (page) => {
        await page.goto(`/bus/${busId}?date=${date}`);
        await page.locator('[data-fragments] li').first().waitFor();
        await settle(page);
        return work(page, page.locator('[data-view]'));
      });
    } finally {
      await browser.close();
      await product.remove();
    }
  },
};

async function work(page: Page, line: Locator): Promise<Result[]> {
  const box = await line.boundingBox();
  if (box === null) throw new Error('The page has no timeline.');
  const at = (share: number) => ({ x: box.x + box.width * share, y: box.y + ROW_PX });
  const hovers: number[] = [];
  for (let n = 0; n < HOVERS; n += 1) {
    const { x, y } = at(0.05 + (0.9 * n) / HOVERS);
    hovers.push(await untilPainted(page, () => page.mouse.move(x, y), 'pointermove'));
    await pause(BETWEEN_MS);
  }
  const zoomed = await longFrames(page, async () => {
    for (let n = 0; n < WHEELS; n += 1) {
      await page.mouse.wheel(0, n % 30 < 15 ? -60 : 60);
      await pause(BETWEEN_MS / 2);
    }
  });
  await page.mouse.wheel(0, -600);
  const moved = await longFrames(page, async () => {
    const [from, to] = [at(0.8), at(0.2)];
    await page.mouse.move(from.x, from.y);
    await page.mouse.down();
    await page.mouse.move(to.x, to.y, { steps: WHEELS });
    await page.mouse.move(from.x, from.y, { steps: WHEELS });
    await page.mouse.up();
  });
  const selects: number[] = [];
  for (const share of [0.3, 0.5, 0.7]) {
    const { x, y } = at(share);
    selects.push(await untilPainted(page, () => page.mouse.click(x, y), 'pointerup'));
    await pause(10 * BETWEEN_MS);
  }
  const row = (what: string, unit: string, value: number, most: number) =>
    ofBudget({ id: 'W5', what: `${what}, 5,000 fragments`, unit }, value, most);
  return [
    row('timeline: hover to its note', 'ms', median(hovers), MOST.hoverMs),
    row('timeline: press to the chosen fragment', 'ms', median(selects), MOST.selectMs),
    row('timeline: frames over 50 ms while zooming', 'share', zoomed, MOST.longFrames),
    row('timeline: frames over 50 ms while moving', 'share', moved, MOST.longFrames),
  ];
}

// Time from the event to the painted frame after the page has changed.
async function untilPainted(
  page: Page,
  act: () => Promise<void>,
  event: 'pointermove' | 'pointerup',
): Promise<number> {
  const done = await page.evaluateHandle((name) => {
    const painted = new Promise<number>((resolve) => {
      addEventListener(
        name,
        ({ timeStamp }) => {
          requestAnimationFrame(() => {
            const { port1, port2 } = new MessageChannel();
            port1.onmessage = () => resolve(performance.now() - timeStamp);
            port2.postMessage(null);
          });
        },
        { once: true, capture: true },
      );
    });
    return { painted };
  }, event);
  await act();
  return done.evaluate(({ painted }) => painted);
}

async function sendFullDay(product: Product, date: string): Promise<number> {
  const [unit] = await setUpFleet(product.url, plainFleet({ buses: 1, cameras: CAMERAS }));
  if (unit === undefined) throw new Error('The fleet has no unit.');
  const { startMs } = dayRange(date, ZONE);
  const iso = (ms: number): string => new Date(ms).toISOString();
  for (let door = 1; door <= CAMERAS; door += 1) {
    const records = Array.from({ length: OF_A_CAMERA }, (_, n) => {
      const atMs = startMs + (n * EVERY_S + door) * 1000;
      const times = { start_time: iso(atMs), end_time: iso(atMs + LONG_S * 1000) };
      const passage = { type: 'passenger', door, passenger: 'adult', count: 1 };
      return [
        { type: 'segment', time: times.end_time, camera: `door${door}`, ...times, video: 'kept' },
        { ...passage, time: iso(atMs + 3000), direction: 'entered' },
        { ...passage, time: iso(atMs + 6000), direction: 'exited' },
      ];
    });
    await sendRecords(product.url, unit.credential, records.flat());
  }
  return unit.bus_id;
}
