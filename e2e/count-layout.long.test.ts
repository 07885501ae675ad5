// The places of the parts of the count tab, in pixels of a real browser.
import { addDays, dayOf, dayRange } from '@ridewatch/contract/day';
import type { Fragment } from '@ridewatch/contract/fragments';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser, openContext, type Visit } from '../harness/browser.ts';
import { type Product, sendRecords } from '../harness/product.ts';
import { startRecordedDay } from '../harness/recorded-day.ts';
import { waitForDay } from '../harness/recorded-fragments.ts';
import { openVisit } from '../harness/visits.ts';
import { ZONE } from '../harness/zone.ts';

const date = addDays(dayOf(Date.now(), ZONE), -1);
const morningMs = dayRange(date, ZONE).startMs + 8 * 3_600_000;
const MINUTE_MS = 60_000;
const MOST_FRAGMENTS = 60;
/** Lengths in specification section 9, px. */
const FRAME_PX = 288;
const MAP_PX = 480;
const TOUCH_PX = 44;
/** Least room between a text and the edge of its button, px. */
const ROOM_PX = 6;

let product: Product;
let browser: Browser;
let busId: number;
let segments: Fragment[];
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  const recorded = Array.from({ length: MOST_FRAGMENTS }, (_, n) => ({
    bus: 0,
    startMs: morningMs + n * 3 * MINUTE_MS,
    lengthMs: 6_000,
    ...(n === 0 && { clip: 'plain.mp4' as const }),
    entered: [1_000, 2_000],
  }));
  const day = await startRecordedDay({ buses: 2, cameras: 3 }, () => recorded, 1);
  ({ product, busId } = day);
  const track = Array.from({ length: MOST_FRAGMENTS * 3 }, (_, minute) => ({
    type: 'position',
    time: new Date(morningMs + minute * MINUTE_MS).toISOString(),
    fix: true,
    latitude: 55.7 + minute / 1000,
    longitude: 37.6,
    speed_kmh: 20,
    course: 0,
  }));
  const child = {
    type: 'passenger',
    time: new Date(morningMs + 1_500).toISOString(),
    door: 1,
    direction: 'entered',
    passenger: 'child',
    count: 1,
  };
  await sendRecords(product.url, day.units[0]?.credential ?? '', [...track, child]);
  segments = await waitForDay(product, { id: busId, date }, 1);
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await product?.remove();
});
afterEach(() => context?.close());

async function openDay(
  size: { width: number; height: number },
  more = '',
  options: Visit = {},
): Promise<void> {
  context = await openVisit(browser, product.url, { ...options, as: 'admin' });
  page = await context.newPage();
  await page.setViewportSize(size);
  await page.goto(`/bus/${busId}?date=${date}${more}`);
  await page.getByRole('heading', { name: 'Автобус 1' }).waitFor();
  await page.locator('[data-fragments] li').first().waitFor();
}

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}
async function boxOf(found: Locator): Promise<Box> {
  await found.waitFor();
  return (await found.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
}
const bottomOf = ({ y, height }: Box): number => y + height;
const frame = () => page.locator('[data-fragments]');
const panel = () => page.getByRole('complementary', { name: 'Дверь 1' });
const map = () => panel().locator('canvas').last();
/** A row is `aria-current` only once it is rendered, so within the list. */
const chosenRow = () => page.locator('[data-fragments] [aria-current]');
const linkTo = (n: number): string => `&fragment=${segments[n]?.id}`;

describe('the count tab of a desktop', () => {
  it.each([
    [1440, 900],
    [1680, 1050],
    [1920, 1200],
  ])('has the whole list in sight, to the end of a window of %d × %d', async (width, height) => {
    await openDay({ width, height });
    expect((await boxOf(frame())).height).toBeGreaterThanOrEqual(FRAME_PX);
    // With the keys below.
    const list = await boxOf(frame().locator('..'));
    expect(bottomOf(list)).toBeLessThanOrEqual(height);
    expect(bottomOf(list)).toBeGreaterThan(height - 24);
    const totals = await boxOf(page.locator('main dl').first());
    expect(totals.height).toBeLessThanOrEqual(72);
  });

  it.each([
    [1440, 900],
    [1280, 720],
  ])('shows the row that a link names in a window of %d × %d', async (width, height) => {
    await openDay({ width, height }, linkTo(45));
    const row = await boxOf(chosenRow());
    const box = await boxOf(frame());
    await expect.poll(async () => bottomOf(await boxOf(chosenRow()))).toBeLessThanOrEqual(height);
    expect(row.y).toBeGreaterThanOrEqual(box.y - 1);
    expect(bottomOf(row)).toBeLessThanOrEqual(bottomOf(box) + 1);
  });

  it('keeps the chosen row in sight when the window gets lower', async () => {
    await openDay({ width: 1440, height: 1200 });
    const inView = page.locator('[data-fragments] li').nth(11).getByRole('button').first();
    await inView.click({ position: { x: 20, y: 10 } });
    await page.setViewportSize({ width: 1440, height: 900 });
    await expect
      .poll(async () => bottomOf(await boxOf(chosenRow())))
      .toBeLessThanOrEqual(bottomOf(await boxOf(frame())) + 1);
  });

  it('has chart and recordings on one time axis', async () => {
    await openDay({ width: 1440, height: 900 });
    const line = page.getByRole('slider', { name: /Шкала записей/ });
    const chart = page.locator('[data-chart]');
    const places = async () => [await boxOf(chart), await boxOf(line)] as const;
    const [above, below] = await places();
    expect([above.x, above.width]).toEqual([below.x, below.width]);
    expect(below.y).toBeCloseTo(bottomOf(above), 0);
    await chart.hover();
    await page.mouse.wheel(0, -240);
    const view = await line.getAttribute('data-view');
    expect(view).not.toBeNull();
    await expect.poll(() => chart.getAttribute('data-chart')).toBe(view);
  });

  it('has the video above the map, both in sight', async () => {
    await openDay({ width: 1440, height: 900 }, linkTo(0));
    const video = await boxOf(panel().locator('video').first());
    const below = await boxOf(map());
    expect(below.y).toBeGreaterThanOrEqual(bottomOf(video));
    expect(below.height).toBeGreaterThanOrEqual(180);
    expect(bottomOf(below)).toBeLessThanOrEqual(900);
  });

  it.each([1680, 1440, 1280])('cuts no word below the video in a width of %d', async (width) => {
    await openDay({ width, height: 800 }, linkTo(0));
    const switchLabel = panel().locator('label', { hasText: 'Авто' });
    await switchLabel.waitFor();
    const missingPx = await switchLabel.evaluate((one) => one.scrollWidth - one.clientWidth);
    expect(missingPx).toBe(0);
  });

  it('has a map of 480 px where there is room', async () => {
    await openDay({ width: 1920, height: 1300 }, linkTo(0));
    expect((await boxOf(map())).height).toBe(MAP_PX);
  });
});

describe('the count tab of a phone', () => {
  const phone = { width: 390, height: 844 };

  it('has the plate in the top bar, and the first number at most 120 px below it', async () => {
    await openDay(phone, '', { phone: true });
    const bar = await boxOf(page.locator('header').first());
    const plate = await boxOf(page.getByRole('heading', { name: 'Автобус 1' }));
    expect(bottomOf(plate)).toBeLessThanOrEqual(bottomOf(bar));
    const number = await boxOf(page.locator('[data-total]').first());
    expect(number.y - bottomOf(bar)).toBeLessThanOrEqual(120);
  });

  it('has digits below digits in rows with and without children', async () => {
    await openDay(phone, '', { phone: true });
    const rows = page.locator('[data-fragments] li');
    await rows.first().getByText('дет.').waitFor();
    expect(await rows.getByText('дет.').count()).toBe(1);
    const ends = await rows
      .locator('[data-side]')
      .evaluateAll((digits) => digits.map((one) => one.getBoundingClientRect().right));
    // Two lines of the first fragment, one of each other.
    const [entered, exited] = ends;
    expect(ends.slice(0, 6)).toEqual([entered, exited, entered, exited, entered, exited]);
  });

  it.each([390, 360])('has controls of 44 px at least in a width of %d', async (width) => {
    await openDay({ ...phone, width }, '', { phone: true });
    const small = await page.locator('button, a, input').evaluateAll((found, leastPx) => {
      const boxes = found.map((one) => ({
        name: one.getAttribute('aria-label') ?? one.textContent ?? '',
        box: one.getBoundingClientRect(),
      }));
      return boxes
        .filter(({ box }) => box.width > 0 && Math.min(box.width, box.height) < leastPx)
        .map(({ name, box }) => `${name}: ${box.width} × ${box.height}`);
    }, TOUCH_PX);
    expect(small).toEqual([]);
    const overflowPx = await page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement;
      return scrollWidth - clientWidth;
    });
    expect(overflowPx).toBeLessThanOrEqual(0);
  });

  it.each(['ru_RU', 'en_US'])(
    'has room around any day in a width of 360, in %s',
    async (language) => {
      context = await openContext(browser, product.url, { as: 'admin', phone: true });
      page = await context.newPage();
      await page.addInitScript(
        (value) => localStorage.setItem('ridewatch.language', JSON.stringify(value)),
        language,
      );
      await page.setViewportSize({ width: 360, height: 740 });
      const week = [1, 2, 3, 4, 5, 6, 7].map((back) => addDays(date, -back));
      for (const day of [...week, addDays(date, -366)]) {
        await page.goto(`/bus/${busId}?date=${day}`);
        const [, month, dayOfMonth] = day.split('-');
        const button = page.getByRole('button', { name: `${dayOfMonth}.${month}` });
        const around = await button.evaluate((one) => {
          const shown = document.createRange();
          shown.selectNodeContents(one);
          const [box, text] = [one, shown].map((part) => part.getBoundingClientRect());
          return Math.min(
            (text?.left ?? 0) - (box?.left ?? 0),
            (box?.right ?? 0) - (text?.right ?? 0),
          );
        });
        expect(around, day).toBeGreaterThanOrEqual(ROOM_PX);
      }
    },
  );

  it('has a word on the button of merges', async () => {
    await openDay(phone, '', { phone: true });
    const button = page.getByRole('button', { name: 'Склеить видео' });
    await button.getByText('Склеить', { exact: true }).waitFor();
  });
});
