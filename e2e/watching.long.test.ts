// Clips of recorders with a fast clock, their thumbnails, and streams with odd ends.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { addDays, dayOf, dayRange, formatMoment } from '@ridewatch/contract/day';
import type { Fragment } from '@ridewatch/contract/fragments';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser, playsVideos, type Visit } from '../harness/browser.ts';
import { plainFleet } from '../harness/plain-fleet.ts';
import { type Product, setUpFleet, startProduct, waitFor } from '../harness/product.ts';
import { holdState, sendRecorded, waitForDay } from '../harness/recorded-fragments.ts';
import { openVisit } from '../harness/visits.ts';
import { untilLoadedOn, watchedOn } from '../harness/watched-video.ts';
import { ZONE } from '../harness/zone.ts';

const date = addDays(dayOf(Date.now(), ZONE), -1);
const morningMs = dayRange(date, ZONE).startMs + 8 * 3_600_000;
const dayBefore = addDays(date, -1);
/** 98 s of wall time in 59 s of media time. */
const STREET_MS = 98_000;
const MEDIA_MS = 59_000;
const PASSAGE_MS = 49_000;

let product: Product;
let browser: Browser;
let canPlay: boolean;
let folder: string;
let busId: number;
/** A bus whose recorder writes too few frames a second, and its fragment of the day. */
let fastBusId: number;
let fast: Fragment | undefined;
/** The fragments of the day before. */
let streamed: Fragment[];
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  product = await startProduct();
  folder = await mkdtemp(path.join(tmpdir(), 'ridewatch-clips-'));
  const units = await setUpFleet(product.url, plainFleet({ buses: 2, cameras: 1 }));
  busId = units[0]?.bus_id ?? 0;
  fastBusId = units[1]?.bus_id ?? 0;
  await sendRecorded(
    product,
    units,
    [
      // The files of its other days prove that its clock runs fast.
      ...[0, 1, 2, 3].map((days) => ({
        bus: 1,
        startMs: morningMs - days * 24 * 3_600_000,
        lengthMs: STREET_MS,
        clip: 'clip-of-59s.mp4' as const,
        entered: [PASSAGE_MS],
      })),
      ...[0, 10, 20, 30].map((minute) => ({
        bus: 0,
        startMs: morningMs + minute * 60_000,
        lengthMs: 6_000,
        clip: 'plain.mp4' as const,
      })),
      { bus: 0, startMs: morningMs + 40 * 60_000, lengthMs: 20_000 },
      ...(['tiny-end.mp4', 'sound-stops-at-5s.mp4'] as const).map((clip, index) => ({
        bus: 0,
        startMs: dayRange(dayBefore, ZONE).startMs + (8 + index) * 3_600_000,
        lengthMs: 8_240 + index * 12_760,
        clip,
      })),
    ],
    folder,
  );
  await waitForDay(product, { id: busId, date }, 4);
  streamed = await waitForDay(product, { id: busId, date: dayBefore }, 2);
  await waitFor(
    async () => {
      [fast] = await waitForDay(product, { id: fastBusId, date }, 1);
      return fast?.video?.truncated === null;
    },
    'the files of the other days to prove a fast clock',
    120_000,
  );
  browser = await openBrowser();
  canPlay = await playsVideos(browser);
});
afterAll(async () => {
  await browser?.close();
  await product?.remove();
  if (folder) await rm(folder, { recursive: true });
});
afterEach(() => context?.close());

async function openDay(more = '', options: Visit = {}, day = date, bus = busId): Promise<void> {
  context = await openVisit(browser, product.url, { ...options, as: 'admin' });
  page = await context.newPage();
  await page.goto(`/bus/${bus}?date=${day}${more}`);
  const name = `Автобус ${bus === busId ? 1 : 2}`;
  await page.getByRole('heading', { name }).waitFor();
}
const openFast = (more = `&fragment=${fast?.id}`) => openDay(more, {}, date, fastBusId);

const clockAt = (offsetMs: number): string => formatMoment(morningMs + offsetMs, ZONE, 'HH:mm:ss');
const watched = () => watchedOn(page);
const shownClock = (): Promise<string | null> =>
  page.locator('[data-player-keys] time').first().textContent();
const untilLoaded = () => untilLoadedOn(page);

describe('a clip in which the street runs faster', () => {
  const mediaS = (offsetMs: number): number => (offsetMs * MEDIA_MS) / STREET_MS / 1000;

  it('shows the time of the street', async ({ skip }) => {
    if (!canPlay) skip('this browser plays no H.264 video');
    await openFast();
    await untilLoaded();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await page.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) > 5);
    expect((await watched()).atS).toBeCloseTo(mediaS(10_000), 1);
    expect(await shownClock()).toBe(clockAt(10_000));
    expect(await page.locator('aside [data-player-keys] small').textContent()).toBe('0:10 / 1:38');
  });

  it('is shown at the moment of a passage that is pressed, beside the video and above its block', async ({
    skip,
  }) => {
    if (!canPlay) skip('this browser plays no H.264 video');
    await openFast();
    await untilLoaded();
    await page.locator(`[data-passage="${PASSAGE_MS}"]`).click();
    await page.waitForURL(/t=49\.0/);
    expect((await watched()).atS).toBeCloseTo(mediaS(PASSAGE_MS), 1);
    expect(await shownClock()).toBe(clockAt(PASSAGE_MS));

    await page.keyboard.press('ArrowLeft');
    await page.waitForURL(/t=44\.0/);
    const line = page.getByRole('slider', { name: /Шкала записей/ });
    await page.getByRole('button', { name: 'Ближе' }).click();
    await line.click({ position: { x: await pixelOf(PASSAGE_MS), y: 24 } });
    await page.waitForURL(/t=(49|5\d)/);
    // It continues to play from there.
    await page.waitForFunction(() => document.querySelector('video')?.paused === false);
    const { atS } = await watched();
    expect(atS).toBeGreaterThanOrEqual(mediaS(PASSAGE_MS) - 0.05);
    expect(atS).toBeLessThan(mediaS(PASSAGE_MS) + 3);
  });

  it('plays from a moment that is pressed on the timeline', async ({ skip }) => {
    if (!canPlay) skip('this browser plays no H.264 video');
    await openFast('');
    await page.locator('[data-fragments] li').first().waitFor();
    for (let n = 0; n < 6; n += 1) await page.getByRole('button', { name: 'Ближе' }).click();
    const line = page.getByRole('slider', { name: /Шкала записей/ });
    await line.press('Home');
    // The first fragment becomes visible when it is chosen.
    await page
      .locator('[data-fragments] li button')
      .first()
      .click({ position: { x: 30, y: 20 } });
    await untilLoaded();
    await line.click({ position: { x: await pixelOf(70_000), y: 40 } });
    await page.waitForURL(/t=(69|7\d)/);
    await page.waitForFunction(() => document.querySelector('video')?.paused === false);
    await page.keyboard.press('Space');
    const { atS } = await watched();
    expect(atS).toBeGreaterThanOrEqual(mediaS(69_000));
    expect(await shownClock()).toBe(clockAt((atS * STREET_MS * 1000) / MEDIA_MS));
  });
});

// Position of a moment on the timeline, px.
async function pixelOf(offsetMs: number): Promise<number> {
  const line = page.getByRole('slider', { name: /Шкала записей/ });
  const [startMs = 0, endMs = 1] = ((await line.getAttribute('data-view')) ?? '')
    .split('-')
    .map(Number);
  const { width } = (await line.boundingBox()) ?? { width: 0 };
  return ((morningMs + offsetMs - startMs) / (endMs - startMs)) * width;
}

describe('the thumbnails', () => {
  it('show what is under the pointer of the timeline, and at the playhead for who has no mouse', async () => {
    await openFast();
    const line = page.getByRole('slider', { name: /Шкала записей/ });
    for (let n = 0; n < 5; n += 1) await page.getByRole('button', { name: 'Ближе' }).click();
    await line.hover({ position: { x: await pixelOf(50_000), y: 40 } });
    const thumbnail = line.locator('[data-preview]');
    await thumbnail.waitFor();
    // 50 s of wall time are 30 s of media time: the sixteenth thumbnail at one every two seconds.
    expect(await thumbnail.evaluate((one) => getComputedStyle(one).backgroundPosition)).toBe(
      '-800px -120px',
    );
    await page.mouse.move(5, 5);
    await thumbnail.waitFor({ state: 'detached' });
    await page.locator('[data-player-keys] input[type=range]').focus();
    for (let n = 0; n < 40; n += 1) {
      await page.keyboard.press('Shift+Tab');
      if (await line.evaluate((one) => one === document.activeElement)) break;
    }
    await thumbnail.waitFor();
  });

  it("show what is under the pointer of the player's bar, and at its thumb when it has the focus", async () => {
    await openFast();
    await page.locator('video').first().waitFor();
    await page.waitForFunction(() => (document.querySelector('video')?.duration ?? 0) > 0);
    const bar = page.locator('[data-player-keys] input[type=range]');
    await bar.hover();
    const thumbnail = page.locator('aside [data-preview]');
    await thumbnail.waitFor();
    const sheet = await thumbnail.evaluate((one) => getComputedStyle(one).backgroundImage);
    const address = /url\("(.+)"\)/.exec(sheet)?.[1] ?? '';
    expect((await page.request.get(address)).headers()['content-type']).toBe('image/jpeg');
    await page.mouse.move(5, 5);
    await thumbnail.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Воспроизвести' }).focus();
    await page.keyboard.press('Tab');
    await thumbnail.waitFor();
  });
});

describe('a stream', () => {
  it.for([
    ['whose last frame alone is a keyframe, and whose audio ends earlier', 0, 8.24],
    ['whose audio ends long before its video', 1, 21],
  ] as const)('%s plays to its end, and ends', async ([_name, index, lengthS], { skip }) => {
    if (!canPlay) skip('this browser plays no H.264 video');
    const id = streamed[index]?.id ?? 0;
    await holdState(product, id, 'PROCESSING');
    await openDay(`&fragment=${id}`, {}, dayBefore);
    await page.getByRole('combobox', { name: 'Скорость' }).selectOption('4');
    await page.getByRole('button', { name: 'Воспроизвести' }).click();
    await page.waitForFunction(() => document.querySelector('video')?.ended === true);
    const { atS, frames, source } = await watched();
    expect(source).toMatch(/^blob:/);
    expect(Math.abs(atS - lengthS)).toBeLessThan(0.1);
    expect(frames).toBeGreaterThan(10);
    await page.getByRole('button', { name: 'Воспроизвести' }).waitFor();
  });
});
