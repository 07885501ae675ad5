// A bus whose cameras recorded yesterday, for stories about merged videos.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { addDays, dayOf, dayRange } from '@ridewatch/contract/day';
import type { FleetPlan } from '@ridewatch/contract/fleet';
import type { Fragment } from '@ridewatch/contract/fragments';
import type { MergeRequest } from '@ridewatch/contract/merges';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { openBrowser, playsVideos, type Visit } from './browser.ts';
import { ask, type Product, setUpFleet, signIn, startProduct, waitFor } from './product.ts';
import { makeRecording, measure, type Recording, sendRecording } from './recordings.ts';
import { openVisit } from './visits.ts';
import { ZONE } from './zone.ts';

const HOUR_MS = 3_600_000;
const COUNTED_LIMIT_MS = 180_000;

/** Cameras by their stream; a recording begins every five minutes from 09:00 on. */
export type Cameras = Readonly<
  Record<
    string,
    { readonly name: string; readonly live?: boolean; readonly recordings: readonly Recording[] }
  >
>;

/** The name of each camera's owner in the screens. */
export const OWNER = 'Иван Петров';

export interface MergedVideos {
  readonly product: Product;
  /** A folder for files of the story. */
  readonly folder: string;
  /** Duration of all recordings of a camera, s. */
  lengthOf(camera: string): number;
  /** Opens yesterday of the bus as an administrator. */
  openBus(options?: Visit): Promise<{ page: Page; context: BrowserContext }>;
  /** The newest request. */
  latest(): Promise<MergeRequest>;
  /** Asks for a camera's whole day in the dialog. */
  askForMerge(page: Page, camera: string): Promise<void>;
  /** A camera's first request in the panel of notifications. */
  item(page: Page, camera: string): Locator;
  /** Compares the durations of a file's frames and sound with the camera's recordings. */
  checkFile(camera: string, file: string): void;
  /** Plays a merged video in the browser at its start, in its middle and at its end. */
  checkPlays(page: Page, merge: MergeRequest, wantedS: number): Promise<void>;
  /** Ends the browser and the product. */
  end(): Promise<void>;
}

/** The dialog that asks for a merged video. */
export const mergeDialog = (page: Page): Locator =>
  page.getByRole('dialog', { name: 'Склейка видео' });
/** The panel of notifications. */
export const mergePanel = (page: Page): Locator =>
  page.getByRole('dialog', { name: /^Уведомления/ });

/** Starts a product with the bus, and waits until its recordings are playable. */
export async function startMergedVideos(cameras: Cameras): Promise<MergedVideos> {
  const yesterday = addDays(dayOf(Date.now(), ZONE), -1);
  const folder = mkdtempSync(path.join(tmpdir(), 'ridewatch-merges-'));
  const product = await startProduct();
  const browser = await openBrowser();
  const [unit] = await setUpFleet(product.url, planOf(cameras));
  if (unit === undefined) throw new Error('no unit');
  const busId = unit.bus_id;
  const token = await signIn(product.url, 'admin');
  const call = <T>(address: string): Promise<T> => ask<T>(product.url, token, 'GET', address);
  await sendRecordings(product.url, unit.credential, cameras, yesterday, folder);
  const info = await call<{ cameras: { id: number; stream_id: string }[] }>(
    `/api/bus/info/${busId}`,
  );
  for (const { id, stream_id } of info.cameras) {
    const done = cameras[stream_id]?.live ? 'LOADED' : 'PROCESSED';
    const address = `/api/period_list/${id}?startdate=${yesterday}&enddate=${yesterday}`;
    const areDone = async () =>
      (await call<{ items: Fragment[] }>(address)).items.every(({ status }) => status === done);
    await waitFor(areDone, `the fragments of ${stream_id}`, COUNTED_LIMIT_MS);
  }
  const nameOf = (camera: string): string => cameras[camera]?.name ?? '';
  const lengthOf = (camera: string): number =>
    cameras[camera]?.recordings.reduce((sum, { seconds }) => sum + seconds, 0) ?? 0;
  return {
    product,
    folder,
    lengthOf,
    openBus: async (options = {}) => {
      const context = await openVisit(browser, product.url, { ...options, as: 'admin' });
      const page = await context.newPage();
      await page.goto(`/bus/${busId}?date=${yesterday}`);
      return { page, context };
    },
    latest: async () => {
      const [first] = (await call<{ items: MergeRequest[] }>('/api/concatenated-medias')).items;
      if (first === undefined) throw new Error('no merge');
      return first;
    },
    askForMerge: async (page, camera) => {
      await page.getByRole('button', { name: 'Склеить видео' }).click();
      const dialog = mergeDialog(page);
      await dialog.getByRole('combobox', { name: /^Камера/ }).click();
      await page.getByRole('option', { name: nameOf(camera) }).click();
      await dialog.getByRole('button', { name: 'Склеить', exact: true }).click();
      await dialog.waitFor({ state: 'detached' });
    },
    item: (page, camera) =>
      mergePanel(page)
        .getByRole('listitem')
        .filter({ hasText: nameOf(camera) })
        .first(),
    checkFile: (camera, file) => {
      const { video, audio } = measure(file);
      expect(Math.abs(video - lengthOf(camera)), `${video} s of frames`).toBeLessThan(0.5);
      if (cameras[camera]?.recordings.some(({ tone }) => tone !== undefined)) {
        expect(Math.abs(audio - video), `${audio} s of sound`).toBeLessThan(0.5);
      }
    },
    checkPlays: (page, merge, wantedS) => checkPlays(browser, page, merge, wantedS),
    end: async () => {
      await browser.close();
      await product.remove();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function planOf(cameras: Cameras): FleetPlan {
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

async function sendRecordings(
  url: string,
  credential: string,
  cameras: Cameras,
  day: string,
  folder: string,
): Promise<void> {
  const dayStartMs = dayRange(day, ZONE).startMs;
  for (const [camera, { recordings }] of Object.entries(cameras)) {
    for (const [n, recording] of recordings.entries()) {
      const startMs = dayStartMs + 9 * HOUR_MS + n * 5 * 60_000;
      const bytes = makeRecording(folder, `${camera}-${n}`, recording);
      const endMs = startMs + recording.seconds * 1000;
      await sendRecording(url, credential, camera, startMs, endMs, bytes);
    }
  }
}

async function checkPlays(
  browser: Browser,
  page: Page,
  { download }: MergeRequest,
  wantedS: number,
): Promise<void> {
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
