// The slow stories of the GPS tab: both themes, and a track of many points.
import { addDays, dayOf } from '@ridewatch/contract/day';
import type { Lap, TrackPoint } from '@ridewatch/contract/laps';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { findAxeFaultsInThemes } from '../harness/axe.ts';
import { openBrowser } from '../harness/browser.ts';
import { type RunningFleet, startFleet } from '../harness/fleet.ts';
import { startProductOfFleet, waitForLaps } from '../harness/prepared-fleet.ts';
import type { Product } from '../harness/product.ts';
import { openVisit } from '../harness/visits.ts';
import { ZONE } from '../harness/zone.ts';

const BUS = 'SIM-000004';
const yesterday = addDays(dayOf(Date.now(), ZONE), -1);

let product: Product;
let fleet: RunningFleet;
let browser: Browser;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  product = await startProductOfFleet();
  fleet = await startFleet(product);
  await waitForLaps(product, [fleet.busIds.get(BUS) ?? 0]);
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await fleet?.stop();
  await product?.remove();
});
afterEach(() => context?.close());

async function newPage(options: { phone?: boolean } = {}): Promise<void> {
  context = await openVisit(browser, product.url, { ...options, as: 'admin' });
  page = await context.newPage();
}
async function boxOf(of: Locator) {
  const box = await of.boundingBox();
  if (!box) throw new Error('the element is not shown');
  return box;
}
const gpsAddress = (more: string): string => `/bus/${fleet.busIds.get(BUS)}/gps?${more}`;

describe('the route tab', () => {
  it('finds the tabs of the route where they were, and its map 480 px high', async () => {
    await newPage();
    await page.goto(`/bus/${fleet.busIds.get(BUS)}/route`);
    const tabs = page.getByRole('navigation', { name: 'Разделы маршрута' }).getByRole('link');
    await tabs.first().waitFor();
    const places = async () => {
      const all = await tabs.all();
      return Promise.all(all.map(async (tab) => boxOf(tab)));
    };
    const map = await boxOf(page.getByRole('region', { name: 'Карта маршрута' }));
    expect(map.height).toBe(480);
    const before = await places();
    for (const name of ['Маршруты', 'Действия', 'Остановки']) {
      await tabs.filter({ hasText: name }).click();
      await page.locator('nav [aria-current]', { hasText: name }).waitFor();
      expect(await places(), name).toEqual(before);
    }
  });
});

describe('the GPS tab', () => {
  it.each([
    ['a desktop', false],
    ['a phone', true],
  ])('is accessible in both themes on %s, and no wider than the window', async (_name, phone) => {
    await newPage({ phone });
    for (const more of ['lap=3', 'lap=3&stop=4', 'lap=route']) {
      await page.goto(gpsAddress(`date=${yesterday}&${more}`));
      await page.getByRole('button', { name: 'Крупнее' }).waitFor();
      if (more.includes('stop'))
        await page.locator('[role=radiogroup], fieldset').first().waitFor();
      expect(await findAxeFaultsInThemes(page)).toEqual([]);
      const wider = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect(wider).toBe(0);
    }
  });

  it('draws a track of 50,000 points with no more elements than a page of text', async () => {
    await newPage();
    await page.route('**/api/bus-stop/laps*', async (route) => {
      const answer = (await (await route.fetch()).json()) as { items: Lap[] };
      const items = answer.items.map((lap) => ({ ...lap, track: inPoints(lap.track, 50_000) }));
      await route.fulfill({ json: { ...answer, items } });
    });
    await page.goto(gpsAddress(`date=${yesterday}&lap=3&colour=speed`));
    await page.getByRole('button', { name: 'Крупнее' }).waitFor();
    const nodes = await page.evaluate(() => document.querySelectorAll('*').length);
    expect(nodes).toBeLessThanOrEqual(1_500);
  });
});

// The same track with more points: each is repeated with GPS noise.
function inPoints(track: readonly TrackPoint[], count: number): TrackPoint[] {
  return Array.from({ length: count }, (_, n) => {
    const at = Math.floor((n * track.length) / count);
    const point = track[at] as TrackPoint;
    const noise = ((n % 7) - 3) * 1e-5;
    return { ...point, latitude: point.latitude + noise, longitude: point.longitude - noise };
  });
}
