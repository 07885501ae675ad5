// Merged videos from the dialog to the file: four cameras with different registrars, a kill in the middle, a
// cancellation, and a phone.
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { addDays, dayOf, dayRange } from '@ridewatch/contract/day';
import type { FleetPlan } from '@ridewatch/contract/fleet';
import type { Fragment } from '@ridewatch/contract/fragments';
import type { MergeRequest } from '@ridewatch/contract/merges';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { findAxeFaults } from './axe.ts';
import { openBrowser, openContext, playsVideos, signInAs, type Visit } from './browser.ts';
import { ask, type Product, setUpFleet, signIn, startProduct, waitFor } from './product.ts';
import { makeRecording, measure, type Recording, sendRecording } from './recordings.ts';
import { ZONE } from './zone.ts';

const yesterday = addDays(dayOf(Date.now(), ZONE), -1);
const dayStartMs = dayRange(yesterday, ZONE).startMs;
const HOUR_MS = 3_600_000;
const h264 = ['-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-g', '25'];
const front = ['-movflags', '+faststart'];

/** Cameras with different kinds of registrars; the last one was replaced during the day. */
const cameras: Record<string, { name: string; live?: boolean; recordings: Recording[] }> = {
  door1: {
    name: 'Передняя дверь',
    recordings: Array.from({ length: 6 }, () => ({
      ...{ seconds: 10, size: '640x360', rate: 25, tone: 440, extension: 'mp4' as const },
      coding: [...h264, '-c:a', 'aac', '-ac', '1', ...front],
    })),
  },
  door2: {
    name: 'Задняя дверь',
    recordings: Array.from({ length: 3 }, () => ({
      ...{ seconds: 10, size: '320x240', rate: 12, extension: 'mkv' as const },
      coding: ['-c:v', 'libx265', '-x265-params', 'log-level=none', '-preset', 'ultrafast'],
    })),
  },
  cabin: {
    name: 'Салон',
    live: true,
    recordings: Array.from({ length: 4 }, () => ({
      ...{ seconds: 8, size: '480x272', rate: 20, tone: 660, extension: 'ts' as const },
      coding: [...h264, '-c:a', 'aac', '-output_ts_offset', '5000'],
    })),
  },
  driver: {
    name: 'Водитель',
    live: true,
    recordings: [
      ...[1, 2].map(() => ({
        ...{ seconds: 10, size: '352x288', rate: 15, tone: 880, extension: 'avi' as const },
        coding: ['-c:v', 'mjpeg', '-c:a', 'pcm_s16le'],
      })),
      ...[1, 2, 3].map(() => ({
        ...{ seconds: 40, size: '1280x720', rate: 25, extension: 'mp4' as const },
        coding: [...h264, '-preset', 'ultrafast', ...front],
      })),
      ...Array.from({ length: 5 }, () => ({
        ...{ seconds: 40, size: '640x480', rate: 15, tone: 880, extension: 'mp4' as const },
        coding: [...h264, '-preset', 'ultrafast', '-c:a', 'aac', ...front],
      })),
    ],
  },
};
const lengthOf = (camera: string): number =>
  cameras[camera]?.recordings.reduce((sum, { seconds }) => sum + seconds, 0) ?? 0;

let product: Product;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let folder: string;
let busId: number;
let token: string;
const cameraIds = new Map<string, number>();

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'ridewatch-merges-'));
  product = await startProduct();
  browser = await openBrowser();
  const [unit] = await setUpFleet(product.url, planOf());
  if (unit === undefined) throw new Error('no unit');
  busId = unit.bus_id;
  token = await signIn(product.url, 'admin');
  for (const [camera, { recordings }] of Object.entries(cameras)) {
    for (const [n, recording] of recordings.entries()) {
      const startMs = dayStartMs + 9 * HOUR_MS + n * 5 * 60_000;
      const bytes = makeRecording(folder, `${camera}-${n}`, recording);
      const endMs = startMs + recording.seconds * 1000;
      await sendRecording(product.url, unit.credential, camera, startMs, endMs, bytes);
    }
  }
  const info = await call<{ cameras: { id: number; stream_id: string }[] }>(
    `/api/bus/info/${busId}`,
  );
  for (const { id, stream_id } of info.cameras) cameraIds.set(stream_id, id);
  for (const [camera, { live }] of Object.entries(cameras)) {
    const done = live ? 'LOADED' : 'PROCESSED';
    await waitFor(
      async () => (await segmentsOf(camera)).every(({ status }) => status === done),
      `the fragments of ${camera}`,
      180_000,
    );
  }
}, 400_000);
afterAll(async () => {
  await browser?.close();
  await product?.remove();
  rmSync(folder, { recursive: true, force: true });
});
afterEach(() => context?.close());

function planOf(): FleetPlan {
  return {
    customers: [
      {
        name: 'Иван',
        surname: 'Петров',
        groups: [],
        buses: [
          {
            ...{ name: 'Автобус 41', type: 'VMS', timezone: ZONE, gps_trackable: false },
            ...{ group: null, device_id: 'unit-41' },
            cameras: Object.entries(cameras).map(([stream_id, { name, live = false }], n) => ({
              ...{ name, stream_id, live },
              door: live ? null : n + 1,
            })),
          },
        ],
      },
    ],
  };
}

const call = <T>(address: string): Promise<T> => ask<T>(product.url, token, 'GET', address);
const segmentsOf = async (camera: string): Promise<Fragment[]> => {
  const days = `startdate=${yesterday}&enddate=${yesterday}`;
  const address = `/api/period_list/${cameraIds.get(camera)}?${days}`;
  return (await call<{ items: Fragment[] }>(address)).items;
};
const merges = async (): Promise<MergeRequest[]> =>
  (await call<{ items: MergeRequest[] }>('/api/concatenated-medias')).items;
const latest = async (): Promise<MergeRequest> => {
  const [first] = await merges();
  if (first === undefined) throw new Error('no merge');
  return first;
};

async function openBus(options: Visit = {}): Promise<void> {
  context = await openContext(browser, product.url, options);
  page = await context.newPage();
  page.setDefaultTimeout(20_000);
  await signInAs(page, 'admin');
  await page.goto(`/bus/${busId}?date=${yesterday}`);
}

const dialog = () => page.getByRole('dialog', { name: 'Склейка видео' });
const panel = () => page.getByRole('dialog', { name: /^Уведомления/ });
const item = (camera: string) =>
  panel()
    .getByRole('listitem')
    .filter({ hasText: cameras[camera]?.name ?? '' })
    .first();

async function askForMerge(camera: string): Promise<void> {
  await page.getByRole('button', { name: 'Склеить видео' }).click();
  await dialog()
    .getByRole('combobox', { name: /^Камера/ })
    .click();
  await page.getByRole('option', { name: cameras[camera]?.name ?? '' }).click();
  await dialog().getByRole('button', { name: 'Склеить', exact: true }).click();
  await dialog().waitFor({ state: 'detached' });
}

describe('a merged video', () => {
  it('cannot be asked for beyond the fragments of the day, nor backwards', async () => {
    await openBus();
    await page.getByRole('button', { name: 'Склеить видео' }).click();
    await dialog().getByText('Видео этого дня: 09:00:00 – 09:25:10').waitFor();
    const from = dialog().getByLabel('Начало', { exact: true }).last();
    const to = dialog().getByLabel('Конец', { exact: true }).last();
    const submit = dialog().getByRole('button', { name: 'Склеить', exact: true });
    for (const [field, value, problem] of [
      [from, '08:59:00', 'Раньше первого фрагмента'],
      [from, '09:25:10', 'Начало должно быть раньше конца'],
      [to, '09:30:00', 'Позже последнего фрагмента'],
    ] as const) {
      const before = await field.inputValue();
      await field.fill(value);
      await dialog().getByText(problem).first().waitFor();
      expect(await submit.isDisabled()).toBe(true);
      await field.fill(before);
    }
    // One step of the slider is ten minutes.
    const handle = dialog().getByRole('slider', { name: 'Начало' });
    await handle.press('ArrowRight');
    expect(await from.inputValue()).toBe('09:10:00');
    await dialog().getByText('Войдёт 4 из 4 фрагментов периода').waitFor();
    expect(await findAxeFaults(page)).toEqual([]);
  });

  it.each(['door1', 'door2', 'cabin'])(
    'of %s is ready, is taken away, and plays from end to end',
    async (camera) => {
      await openBus();
      await askForMerge(camera);
      await page.getByRole('button', { name: /^Уведомления/ }).click();
      await item(camera).getByText('готово').waitFor({ timeout: 60_000 });
      expect(await item(camera).textContent()).toContain('Иван Петров');
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        item(camera).getByRole('button', { name: 'Скачать', exact: true }).click(),
      ]);
      const file = path.join(folder, `${camera}.mp4`);
      await download.saveAs(file);
      await item(camera).getByText('скачано').waitFor();
      await waitFor(async () => (await latest()).status === 'SENT', 'the server to have noted it');
      const merge = await latest();
      const sha256 = createHash('sha256').update(readFileSync(file)).digest('hex');
      expect(merge.sha256).toBe(sha256);
      await item(camera).getByText('Сведения о файле').click();
      await item(camera).getByText(sha256).waitFor();
      const [sheet] = await Promise.all([
        page.waitForEvent('download'),
        item(camera).getByRole('button', { name: 'Скачать сведения' }).click(),
      ]);
      expect(readFileSync(await sheet.path(), 'utf8')).toContain(`SHA-256: ${sha256}`);
      expect(await findAxeFaults(page)).toEqual([]);
      checkFile(camera, file);
      await checkPlays(merge, lengthOf(camera));
    },
  );

  it('that is too large for a page is fetched by the browser itself, and is told to be taken away when it is', async () => {
    await openBus();
    const merge = await latest();
    // Presents the file as one of 2 GB that was not downloaded yet, until it is.
    let isTaken = false;
    await page.route('**/api/concatenated-medias', async (route) => {
      const answer = await route.fetch();
      const { items, ...rest } = (await answer.json()) as { items: MergeRequest[] };
      const grown = items.map((one) =>
        one.id === merge.id
          ? { ...one, size_bytes: 2_000_000_000, status: isTaken ? 'SENT' : 'COMPLETE' }
          : one,
      );
      await route.fulfill({ response: answer, json: { ...rest, items: grown } });
    });
    await page.evaluate(() => Reflect.deleteProperty(window, 'showSaveFilePicker'));
    await page.getByRole('button', { name: /^Уведомления/ }).click();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Скачать', exact: true }).first().click(),
    ]);
    const sha256 = createHash('sha256')
      .update(readFileSync(await download.path()))
      .digest('hex');
    expect(sha256).toBe(merge.sha256);
    expect(download.suggestedFilename()).toMatch(/_09\.00\.00-.*_UTC\+3\.mp4$/);
    isTaken = true;
    await page.locator('li', { hasText: 'скачано' }).first().waitFor();
  });

  it('of a camera that was exchanged survives a kill of the server, and plays', async () => {
    await openBus();
    await askForMerge('driver');
    await waitFor(async () => (await latest()).progress > 5, 'the work to have begun');
    await product.kill();
    await product.restart();
    await page.getByRole('button', { name: /^Уведомления/ }).click();
    await item('driver').getByText('готово').waitFor({ timeout: 110_000 });
    const merge = await latest();
    const file = path.join(folder, 'driver.mp4');
    await saveMerge(merge, file);
    checkFile('driver', file);
    await checkPlays(merge, lengthOf('driver'));
    expect(readdirSync(path.join(product.dataDir, 'work'))).toEqual([]);
  });

  it('that nobody wants any more is cancelled, and nothing of it stays', async () => {
    await openBus({ phone: true });
    await page.getByRole('button', { name: 'Склеить видео' }).waitFor();
    const wider = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(await wider()).toBe(0);
    await page.setViewportSize({ width: 360, height: 740 });
    expect(await wider()).toBe(0);
    await page.setViewportSize({ width: 390, height: 844 });
    await askForMerge('driver');
    await page.getByRole('button', { name: /^Уведомления/ }).click();
    await item('driver').getByText('склеивается').waitFor();
    await waitFor(async () => (await latest()).progress > 0, 'the work to have begun');
    await item('driver').getByRole('button', { name: 'Отменить склейку' }).click();
    await item('driver').getByText('Отменено').waitFor();
    expect(await findAxeFaults(page)).toEqual([]);
    expect(await latest()).toMatchObject({ status: 'FAILED', fail_reason: 'cancelled' });
    await waitFor(
      async () => readdirSync(path.join(product.dataDir, 'work')).length === 0,
      'ffmpeg to end',
    );
    // The closed sheet leaves the screen free.
    await panel().getByRole('button', { name: 'Закрыть' }).click();
    await panel().waitFor({ state: 'detached' });
  });
});

async function saveMerge({ download }: MergeRequest, file: string): Promise<void> {
  const answer = await fetch(product.url + download);
  const { writeFile } = await import('node:fs/promises');
  await writeFile(file, Buffer.from(await answer.arrayBuffer()));
}

function checkFile(camera: string, file: string): void {
  const { video, audio } = measure(file);
  const wantedS = lengthOf(camera);
  expect(Math.abs(video - wantedS), `${video} s of frames`).toBeLessThan(0.5);
  if (cameras[camera]?.recordings.some(({ tone }) => tone !== undefined)) {
    expect(Math.abs(audio - video), `${audio} s of sound`).toBeLessThan(0.5);
  }
}

/** Plays the merged video in the browser at its start, in its middle and at its end. */
async function checkPlays({ download }: MergeRequest, wantedS: number): Promise<void> {
  if (!(await playsVideos(browser))) {
    process.stdout.write('this browser plays no H.264 video: the file is only measured\n');
    return;
  }
  const seen = await page.evaluate(async (address) => {
    const video = document.createElement('video');
    video.muted = true;
    video.src = address ?? '';
    document.body.append(video);
    const told = (name: string) =>
      new Promise((resolve, reject) => {
        video.addEventListener(name, resolve, { once: true });
        video.addEventListener('error', () => reject(new Error(video.error?.message)));
      });
    await told('loadedmetadata');
    const { duration } = video;
    const shown: number[] = [];
    for (const at of [0, duration / 3, duration / 2, duration - 1.5]) {
      video.currentTime = at;
      await told('seeked');
      await video.play();
      const before = video.getVideoPlaybackQuality().totalVideoFrames;
      while (video.currentTime < at + 0.8) await told('timeupdate');
      shown.push(video.getVideoPlaybackQuality().totalVideoFrames - before);
      video.pause();
    }
    video.remove();
    return { duration, shown };
  }, download);
  expect(Math.abs(seen.duration - wantedS), `${seen.duration} s`).toBeLessThan(0.5);
  for (const frames of seen.shown) expect(frames).toBeGreaterThan(4);
}
