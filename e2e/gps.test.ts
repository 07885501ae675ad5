import { addDays, dayOf } from '@ridewatch/contract/day';
import type { Lap, LapSummary } from '@ridewatch/contract/laps';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { findAxeFaults } from '../harness/axe.ts';
import { openBrowser, playsVideos } from '../harness/browser.ts';
import { beginInDaytime } from '../harness/daytime.ts';
import { type RunningFleet, startFleet } from '../harness/fleet.ts';
import { startProductOfFleet, waitForLaps } from '../harness/prepared-fleet.ts';
import { ask, type Product, signIn, waitFor } from '../harness/product.ts';
import { openVisit } from '../harness/visits.ts';
import { ZONE } from '../harness/zone.ts';

beginInDaytime();

/** A bus of the rush hours with one camera, which has a short day. */
const BUS = 'SIM-000004';
const LAPS_LIMIT_MS = 120_000;

let product: Product;
let fleet: RunningFleet;
let browser: Browser;
let context: BrowserContext;
let page: Page;
/** A bus that is driving a lap; others may stand at their terminals. */
let liveBus: string;
const yesterday = addDays(dayOf(Date.now(), ZONE), -1);

beforeAll(async () => {
  product = await startProductOfFleet();
  fleet = await startFleet(product);
  browser = await openBrowser();
  const token = await signIn(product.url, 'admin');
  const lapsOf = async (device: string, date: string) => {
    const query = `workplaceId=${fleet.busIds.get(device)}&date=${date}`;
    const address = `/api/bus-stop/day-laps?${query}`;
    return ask<{ items: LapSummary[] }>(product.url, token, 'GET', address);
  };
  await waitForLaps(product, [fleet.busIds.get(BUS) ?? 0]);
  await waitFor(
    async () => {
      for (const device of fleet.busIds.keys()) {
        const { items } = await lapsOf(device, addDays(yesterday, 1));
        liveBus = device;
        if (items.at(-1)?.open === true) return true;
      }
      return false;
    },
    'a lap that is being driven',
    LAPS_LIMIT_MS,
  );
});
afterAll(async () => {
  await browser?.close();
  await fleet?.stop();
  await product?.remove();
});
afterEach(() => context?.close());

async function newPage(options: { phone?: boolean; dark?: boolean } = {}): Promise<void> {
  context = await openVisit(browser, product.url, { ...options, as: 'admin' });
  page = await context.newPage();
}

/** Height of the axis, at the top of the timeline, px. */
const AXIS_PX = 20;
async function boxOf(of: Locator) {
  const box = await of.boundingBox();
  if (!box) throw new Error('the element is not shown');
  return box;
}

const gpsAddress = (device: string, more = ''): string =>
  `/bus/${fleet.busIds.get(device)}/gps?${more}`;
const sum = ({ adult, kids }: { adult: number; kids: number }): number => adult + kids;
const vehicle = () => page.locator('[role=img][data-kind=live]');
const lapTab = (number: number) => page.getByRole('tab', { name: new RegExp(`^Круг ${number} `) });

describe('a dispatcher', () => {
  it('sees the laps below the recordings, comes close to one by a press, and finds its stops there', async () => {
    await newPage();
    const busId = fleet.busIds.get(BUS);
    const lap = await findLap(2);
    const stop = lap.busStopDtoList.find(
      // The bus may have come to the first stop in the lap before.
      ({ arrival, segments }) =>
        arrival && Date.parse(arrival) > Date.parse(lap.start) && segments.length > 0,
    );
    if (!stop?.arrival) throw new Error('the day has no such lap');
    await page.goto(`/bus/${busId}?date=${yesterday}`);
    const line = page.getByRole('slider', { name: /Шкала записей/ });
    const note = line.locator('strong').locator('..');
    const at = async (moment: string) => {
      const view = ((await line.getAttribute('data-view')) ?? '').split('-').map(Number);
      const [startMs = 0, endMs = 1] = view;
      const { width, height } = (await line.boundingBox()) ?? { width: 0, height: 0 };
      const x = ((Date.parse(moment) + 1000 - startMs) / (endMs - startMs)) * width;
      // Below the rows of the cameras.
      return { x, y: height - 12 };
    };
    const middle = new Date((Date.parse(lap.start) + Date.parse(lap.end)) / 2).toISOString();
    await line.hover({ position: await at(middle) });
    await note.getByText(`Круг ${lap.number} · `).waitFor();
    const stops = page.waitForResponse((answer) => answer.url().includes('/api/bus-stop/search'));
    await line.click({ position: await at(middle) });
    const span = `${Date.parse(lap.start)}-${Date.parse(lap.end)}`;
    await expect.poll(() => line.getAttribute('data-view')).toBe(span);

    await (await stops).finished();
    await line.hover({ position: await at(stop.arrival) });
    await note.getByText(stop.name).waitFor();
    await line.click({ position: await at(stop.arrival) });
    await page.waitForURL((url) => url.searchParams.get('fragment') === String(stop.segments[0]));
  });

  it('points at a moment of the day, which covers nothing of it', async () => {
    await newPage();
    await page.goto(`/bus/${fleet.busIds.get(BUS)}?date=${yesterday}`);
    const line = page.getByRole('slider', { name: /Шкала записей/ });
    await line.hover({ position: { x: 2, y: 4 } });
    const scale = await boxOf(line);
    const time = await boxOf(line.locator('strong'));
    expect(time.x).toBeGreaterThanOrEqual(scale.x);
    expect(time.y).toBeGreaterThanOrEqual(scale.y);
    expect(time.y + time.height).toBeLessThanOrEqual(scale.y + AXIS_PX + 1);
    expect(await line.getByText(/Круг/).count()).toBe(0);
    // A note above the scale names the lap at the pointer.
    const { start, end } = await findLap(2);
    const [startMs = 0, endMs = 1] = ((await line.getAttribute('data-view')) ?? '')
      .split('-')
      .map(Number);
    const middleMs = (Date.parse(start) + Date.parse(end)) / 2;
    const x = ((middleMs - startMs) / (endMs - startMs)) * scale.width;
    await line.hover({ position: { x, y: scale.height - 12 } });
    const note = await boxOf(line.getByText(/^Круг/));
    expect(note.y + note.height).toBeLessThanOrEqual(scale.y);
  });

  it('follows a live bus, and it is asked for no more when an earlier lap is looked at', async () => {
    await newPage();
    let asked = 0;
    page.on('request', (request) => {
      if (new URL(request.url()).pathname === '/api/gps') asked += 1;
    });
    await page.goto(gpsAddress(liveBus));
    await vehicle().waitFor();
    expect(await vehicle().getAttribute('aria-label')).toMatch(/^Автобус .+, (едет|стоит)$/);
    await expect.poll(() => asked).toBeGreaterThan(3);
    const before = await placeOf();
    // The bus may stand at a stop or a light, but not for long.
    await expect.poll(placeOf, { timeout: 90_000 }).not.toBe(before);

    const earlier = page.getByRole('tab', { selected: false }).last();
    await earlier.click();
    await vehicle().waitFor({ state: 'detached' });
    const known = asked;
    await page.locator('[data-place]').first().click();
    await page.getByRole('table').waitFor();
    expect(asked).toBe(known);
  });

  it("opens yesterday's third lap, and every stop shows who got on and off there", async () => {
    const truth = await fleet.truthOf(BUS, yesterday);
    const third = truth.laps[2];
    if (third === undefined) throw new Error('the truth knows no third lap');
    await newPage();
    await page.goto(gpsAddress(BUS, `date=${yesterday}`));
    await lapTab(3).click();
    await page.waitForURL(/lap=3/);
    // Until the lap has come, the list shows the one before.
    await expect.poll(() => numberIn('[data-figure=entered]')).toBe(sum(third.boarded));
    expect(await numberIn('[data-figure=exited]')).toBe(sum(third.alighted));
    expect(third.stops.length).toBeGreaterThan(5);
    const countsAt = (index: number) =>
      page
        .locator(`[data-place="${index}"] b`)
        .evaluateAll((cells) =>
          cells.map((cell) => Number((cell.textContent ?? '').replace(/\D/g, ''))),
        );
    for (const { index, name, boarded, alighted } of third.stops) {
      await expect
        .poll(async () => ({ name, counts: await countsAt(index) }))
        .toEqual({ name, counts: [sum(boarded), sum(alighted)] });
    }
    // The map has a named mark for each.
    const marks = page.locator('section[aria-label=Карта] button[aria-pressed][data-shape]');
    // The map draws a moment after the list.
    await marks.nth(third.stops.length - 1).waitFor({ state: 'attached' });
    expect(await marks.count()).toBeGreaterThanOrEqual(third.stops.length);
  });

  it('chooses a stop and its video plays, and a link to it opens the same', async ({ skip }) => {
    if (!(await playsVideos(browser))) skip('this browser plays no H.264 video');
    await newPage();
    await page.goto(gpsAddress(BUS, `date=${yesterday}&lap=3`));
    // A stop with video: at some stops everybody uses a door without a camera; which ones depends on the day.
    const lap = await findLap(3);
    const stop = lap.busStopDtoList.findLast(
      ({ entered, exited, segments }) => entered + exited > 0 && segments.length > 0,
    );
    if (stop === undefined) throw new Error('the lap has no stop with video');
    await page.locator(`[data-place="${stop.position}"]`).click();
    await page.waitForURL(/stop=\d+/);
    const fetchIt = page.getByRole('button', { name: 'Запросить видео' });
    const video = page.locator('video').first();
    await fetchIt.or(video).waitFor();
    if (await fetchIt.isVisible()) await fetchIt.click();
    await video.waitFor({ timeout: 60_000 });
    // Without Autoplay it waits for Space.
    await page.waitForFunction(() => (document.querySelector('video')?.readyState ?? 0) > 0);
    await page.keyboard.press('Space');
    await page.waitForFunction(() => {
      const element = document.querySelector('video');
      return element !== null && !element.paused && element.currentTime > 1;
    });
    // The map shows the bus at its place at that time.
    await page.locator('[role=img][data-kind=video]').waitFor();
    const name = await page.locator('[data-place][aria-current]').getAttribute('data-place');
    const link = page.url();
    await context.close();

    await newPage();
    await page.goto(link);
    await page.locator('video').first().waitFor();
    expect(await lapTab(3).getAttribute('aria-selected')).toBe('true');
    const chosen = page.locator('[data-place][aria-current]');
    expect(await chosen.getAttribute('data-place')).toBe(name);
  });

  it('keeps a track pinned from lap to lap, and compares it with the route', async () => {
    await newPage();
    await page.goto(gpsAddress(BUS, `date=${yesterday}&lap=2`));
    await page.getByRole('button', { name: 'Закрепить трек' }).click();
    await page.waitForURL(/pin=2/);
    await page.getByRole('tab', { name: 'Трек маршрута' }).click();
    await page.getByRole('button', { name: 'Открепить: Круг 2' }).waitFor();
    await page.goBack();
    await page.waitForURL(/lap=2/);
  });
});

describe('the GPS tab', () => {
  it('fits the width of a phone, and is accessible', async () => {
    await newPage({ phone: true });
    await page.goto(gpsAddress(BUS, `date=${yesterday}&lap=3&stop=4`));
    await page.getByRole('button', { name: 'Крупнее' }).waitFor();
    await page.locator('[role=radiogroup], fieldset').first().waitFor();
    expect(await findAxeFaults(page)).toEqual([]);
    const wider = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(wider).toBe(0);
  });

  it('says what to do on a day without a track, and when the server fails', async () => {
    await newPage();
    await page.goto(gpsAddress(BUS, 'date=2020-02-02'));
    await page.getByRole('heading', { name: 'За этот день трека нет' }).waitFor();
    await page.route('**/api/bus-stop/day-laps*', (route) => route.fulfill({ status: 500 }));
    await page.goto(gpsAddress(BUS, `date=${yesterday}`));
    await page.getByRole('heading', { name: 'Не удалось загрузить круги' }).waitFor();
    await page.unroute('**/api/bus-stop/day-laps*');
    await page.getByRole('button', { name: 'Повторить' }).click();
    await lapTab(1).waitFor();
  });
});

async function findLap(number: number): Promise<Lap> {
  const token = await signIn(product.url, 'admin');
  const address = `/api/bus-stop/laps?workplaceId=${fleet.busIds.get(BUS)}&date=${yesterday}`;
  const { items } = await ask<{ items: Lap[] }>(product.url, token, 'GET', address);
  const lap = items.find((one) => one.number === number);
  if (lap === undefined) throw new Error(`the day has no lap ${number}`);
  return lap;
}

async function placeOf(): Promise<string> {
  return vehicle().evaluate((element) => {
    const { x, y } = new DOMMatrix(getComputedStyle(element).transform).transformPoint();
    return `${x.toFixed(1)} ${y.toFixed(1)}`;
  });
}

async function numberIn(selector: string): Promise<number> {
  return Number(((await page.locator(selector).textContent()) ?? '').replace(/\D/g, ''));
}
