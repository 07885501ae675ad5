// A bus's fragments in the player; watching.long.test.ts has what only some registrars send.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { addDays, dayOf, dayRange } from '@ridewatch/contract/day';
import type { Fragment } from '@ridewatch/contract/fragments';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser, playsVideos, type Visit } from '../harness/browser.ts';
import { plainFleet } from '../harness/plain-fleet.ts';
import { type Product, setUpFleet, startProduct } from '../harness/product.ts';
import { holdState, sendRecorded, waitForDay } from '../harness/recorded-fragments.ts';
import { openVisit } from '../harness/visits.ts';
import { untilLoadedOn, watchedOn } from '../harness/watched-video.ts';
import { ZONE } from '../harness/zone.ts';

const date = addDays(dayOf(Date.now(), ZONE), -1);
const morningMs = dayRange(date, ZONE).startMs + 8 * 3_600_000;

let product: Product;
let browser: Browser;
let canPlay: boolean;
let folder: string;
let busId: number;
let segments: Fragment[];
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  product = await startProduct();
  folder = await mkdtemp(path.join(tmpdir(), 'ridewatch-clips-'));
  const units = await setUpFleet(product.url, plainFleet({ buses: 1, cameras: 1 }));
  busId = units[0]?.bus_id ?? 0;
  const clips = [0, 10, 20, 30].map((minute) => ({
    bus: 0,
    startMs: morningMs + minute * 60_000,
    lengthMs: 6_000,
    clip: 'plain.mp4' as const,
  }));
  const kept = { bus: 0, startMs: morningMs + 40 * 60_000, lengthMs: 20_000 };
  await sendRecorded(product, units, [...clips, kept], folder);
  segments = await waitForDay(product, { id: busId, date }, clips.length);
  browser = await openBrowser();
  canPlay = await playsVideos(browser);
});
afterAll(async () => {
  await browser?.close();
  await product?.remove();
  if (folder) await rm(folder, { recursive: true });
});
afterEach(() => context?.close());

async function openDay(more = '', options: Visit = {}): Promise<void> {
  context = await openVisit(browser, product.url, { ...options, as: 'admin' });
  page = await context.newPage();
  await page.goto(`/bus/${busId}?date=${date}${more}`);
  await page.getByRole('heading', { name: 'Автобус 1' }).waitFor();
}

const idAt = (index: number): number => segments[index]?.id ?? 0;

describe('a fragment that waits to be counted', () => {
  it('plays as a stream in parts, with a library that nothing else loads', async ({ skip }) => {
    if (!canPlay) skip('this browser plays no H.264 video');
    await openDay();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page
      .locator('[data-fragments] li button')
      .nth(1)
      .click({ position: { x: 30, y: 20 } });
    await untilLoadedOn(page);
    expect(asked.filter((one) => /\/hls-/.test(one))).toEqual([]);
    await context.close();

    await holdState(product, idAt(1), 'PROCESSING');
    await openDay(`&fragment=${idAt(1)}`);
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.getByRole('button', { name: 'Воспроизвести' }).click();
    await page.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) > 1);
    const { frames, source } = await watchedOn(page);
    expect(frames).toBeGreaterThan(5);
    expect(source).toMatch(/^blob:/);
    await page.keyboard.press('Space');
    await page.keyboard.press('ArrowRight');
    await page.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) > 5);
  });
});

describe('the next fragment', () => {
  it('is there before it is wanted: its beginning is not asked for again', async ({ skip }) => {
    if (!canPlay) skip('this browser plays no H.264 video');
    await openDay(`&fragment=${idAt(2)}`);
    await page.waitForFunction(
      () =>
        [...document.querySelectorAll('video')].filter(({ readyState }) => readyState >= 3)
          .length === 2,
    );
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/api/video_feed')) asked.push(request.url());
    });
    await page.keyboard.press('ArrowDown');
    await page.waitForURL(new RegExp(`fragment=${idAt(3)}`));
    await page.waitForFunction(() => (document.querySelector('video')?.readyState ?? 0) >= 2);
    await page.keyboard.press('Space');
    await page.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) > 0.5);
    expect(asked.filter((one) => one.includes(`/${idAt(3)}?`))).toEqual([]);
  });
});

describe('the chosen fragment', () => {
  it('shows its video, or where the bus was when there is none, and is none after the last', async () => {
    await openDay(`&fragment=${idAt(3)}`);
    await page.locator('aside[data-view=video]').waitFor();
    await page.keyboard.press('ArrowDown');
    await page.locator('aside[data-view=map]').waitFor();
    await page.getByRole('button', { name: 'Запросить видео' }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.waitForURL((address) => !address.searchParams.has('fragment'));
    await page.getByText('Выберите фрагмент, чтобы посмотреть видео').waitFor();
  });

  it('is had as it is played and as it was sent, and plays on by itself where that is wanted', async ({
    skip,
  }) => {
    await openDay(`&fragment=${idAt(2)}`);
    for (const name of ['обработанное', 'исходное']) {
      const address = await page.getByRole('link', { name }).getAttribute('href');
      const answer = await page.request.get(address ?? '');
      expect(answer.headers()['content-disposition']).toMatch(/^attachment/);
    }
    if (!canPlay) skip('this browser plays no H.264 video');
    await page.getByRole('checkbox', { name: 'Автовоспроизведение' }).check();
    await page.getByRole('button', { name: 'Воспроизвести' }).click();
    await page.waitForURL(new RegExp(`fragment=${idAt(3)}`));
    await page.reload();
    expect(await page.getByRole('checkbox', { name: 'Автовоспроизведение' }).isChecked()).toBe(
      true,
    );
  });

  it('lies over the page of a phone, chosen from a sheet', async () => {
    await openDay('', { phone: true });
    const sheet = page.getByRole('region', { name: '5 фрагментов' });
    const row = sheet.locator('li button').first();
    await row.click();
    await page.locator('dialog[open] video').first().waitFor();
    expect((await row.boundingBox())?.height).toBe(60);
    expect(await page.locator('dialog[open] [data-count]').count()).toBe(4);
    await page.getByRole('button', { name: 'Закрыть' }).click();
    await page.locator('dialog[open]').waitFor({ state: 'detached' });
  });
});
