import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { addDays, dayOf, dayRange } from '@ridewatch/contract/day';
import type { UnitCommand } from '@ridewatch/contract/unit-commands';
import { makeOddVideo } from '@ridewatch/server/src/test/odd-video.ts';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser, openContext, playsVideos, signInAs } from '../harness/browser.ts';
import { plainFleet } from '../harness/plain-fleet.ts';
import { type Product, sendRecords, setUpFleet, startProduct } from '../harness/product.ts';
import { sendRecorded, waitForDay } from '../harness/recorded-fragments.ts';
import { uploadVideo } from '../harness/upload-video.ts';
import { ZONE } from '../harness/zone.ts';

const date = addDays(dayOf(Date.now(), ZONE), -1);

let product: Product;
let browser: Browser;
let canPlay: boolean;
let folder: string;
let busId: number;
let credential: string;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  product = await startProduct();
  folder = await mkdtemp(path.join(tmpdir(), 'ridewatch-clips-'));
  const [unit] = await setUpFleet(product.url, plainFleet({ buses: 1, cameras: 1 }));
  busId = unit?.bus_id ?? 0;
  credential = unit?.credential ?? '';
  browser = await openBrowser();
  canPlay = await playsVideos(browser);
});
afterAll(async () => {
  await browser?.close();
  await product?.remove();
  if (folder) await rm(folder, { recursive: true });
});
afterEach(() => context?.close());

async function openDay(more: string, day: string): Promise<void> {
  context = await openContext(browser, product.url);
  page = await context.newPage();
  await signInAs(page, 'admin');
  await page.goto(`/bus/${busId}?date=${day}${more}`);
  await page.getByRole('heading', { name: 'Автобус 1' }).waitFor();
}

describe('a video that breaks off', () => {
  it('says that a moment behind its end is missing, at its last frame, and plays no other', async ({
    skip,
  }) => {
    if (!canPlay) skip('this browser plays no H.264 video');
    const longAgo = addDays(date, -4);
    const startMs = dayRange(longAgo, ZONE).startMs + 8 * 3_600_000;
    const cut = {
      bus: 0,
      startMs,
      lengthMs: 20_000,
      clip: 'sound.mp4' as const,
      entered: [15_000],
    };
    await sendRecorded(product, [{ credential }], [cut], folder);
    const [fragment] = await waitForDay(product, { id: busId, date: longAgo }, 1);
    await openDay(`&fragment=${fragment?.id}&t=12`, longAgo);
    const note = page.getByText('Выбранного момента в нём нет: показан последний кадр.');
    await note.waitFor();
    await page.waitForFunction(() => (document.querySelector('video')?.readyState ?? 0) >= 2);
    const atS = await page.evaluate(() => document.querySelector('video')?.currentTime);
    expect(atS).toBeCloseTo(5.95, 1);
    await page.keyboard.press('ArrowLeft');
    await page.waitForURL(/t=0\.9|t=1\.0/);
    await note.waitFor({ state: 'detached' });
    // The same from a passage that was counted later, while the video plays.
    await page.getByRole('checkbox', { name: 'Автовоспроизведение' }).check();
    await page.getByRole('button', { name: 'Воспроизвести' }).click();
    await page.locator('[data-passage="15000"]').click();
    await page.waitForURL(/t=15\.0/);
    await note.waitFor();
    expect(await page.evaluate(() => document.querySelector('video')?.paused)).toBe(true);
    expect(new URL(page.url()).searchParams.get('fragment')).toBe(String(fragment?.id));
  });

  it('says how much there is, and is whole after it was fetched again', async () => {
    const longAgo = addDays(date, -2);
    const startMs = dayRange(longAgo, ZONE).startMs + 8 * 3_600_000;
    const iso = (ms: number): string => new Date(ms).toISOString();
    const span = { start_time: iso(startMs), end_time: iso(startMs + 8_240) };
    const { stream } = await sendRecords(product.url, credential, [
      { type: 'segment', time: iso(startMs + 8_240), camera: 'door1', ...span, video: 'queued' },
      { type: 'camera_state', time: iso(Date.now()), camera: 'door1', status: 'online' },
    ]);
    const whole = await readFile(makeOddVideo(folder, 'tiny-end.mp4'));
    const part = whole.subarray(0, Math.floor(whole.length * 0.6));
    await uploadVideo(product.url, credential, { stream, seq: 0 }, part);
    const [cut] = await waitForDay(product, { id: busId, date: longAgo }, 1);
    expect(cut?.video?.truncated?.of_ms).toBe(8_240);
    await openDay(`&fragment=${cut?.id}`, longAgo);
    const note = page.getByText(/^Видео обрывается: \d из 8\sс$/);
    await note.waitFor();
    if (canPlay) {
      // It was cut inside a frame.
      await page.getByRole('button', { name: 'Воспроизвести' }).click();
      await page.waitForFunction(() => document.querySelector('video')?.ended === true);
    }
    await page.getByRole('button', { name: 'Запросить ещё раз' }).click();
    const headers = { authorization: `Bearer ${credential}` };
    const answer = await fetch(`${product.url}/unit/v1/commands?wait=20`, { headers });
    const { commands } = (await answer.json()) as { commands: UnitCommand[] };
    expect(commands.map(({ segment }) => segment?.stream)).toEqual([stream]);
    await uploadVideo(product.url, credential, { stream, seq: 0 }, whole);
    await note.waitFor({ state: 'detached' });
  });
});
