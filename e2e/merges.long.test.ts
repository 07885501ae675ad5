// Merged videos of cameras with different registrars, a kill in the middle, and a cancellation.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { MergeRequest } from '@ridewatch/contract/merges';
import type { Notifications } from '@ridewatch/contract/notifications';
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { findAxeFaults } from '../harness/axe.ts';
import { type Cameras, type MergedVideos, startMergedVideos } from '../harness/merged-videos.ts';
import { waitFor } from '../harness/product.ts';

const h264 = ['-c:v', 'libx264', '-pix_fmt', 'yuv420p', '-g', '25'];
const front = ['-movflags', '+faststart'];
/** Within this a server that was killed and started again has made the film anew. */
const ANEW_LIMIT_MS = 240_000;

/** Cameras with different kinds of registrars; the last one was replaced during the day. */
const cameras: Cameras = {
  door1: {
    name: 'Передняя дверь',
    recordings: Array.from({ length: 6 }, () => ({
      ...{ seconds: 10, size: '640x360', rate: 25, tone: 440, extension: 'mp4' },
      coding: [...h264, '-c:a', 'aac', '-ac', '1', ...front],
    })),
  },
  door2: {
    name: 'Задняя дверь',
    recordings: Array.from({ length: 3 }, () => ({
      ...{ seconds: 10, size: '320x240', rate: 12, extension: 'mkv' },
      coding: ['-c:v', 'libx265', '-x265-params', 'log-level=none', '-preset', 'ultrafast'],
    })),
  },
  cabin: {
    name: 'Салон',
    live: true,
    recordings: Array.from({ length: 4 }, () => ({
      ...{ seconds: 8, size: '480x272', rate: 20, tone: 660, extension: 'ts' },
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
        ...{ seconds: 20, size: '1280x720', rate: 25, extension: 'mp4' as const },
        coding: [...h264, '-preset', 'ultrafast', ...front],
      })),
      ...Array.from({ length: 5 }, () => ({
        ...{ seconds: 20, size: '640x480', rate: 15, tone: 880, extension: 'mp4' as const },
        coding: [...h264, '-preset', 'ultrafast', '-c:a', 'aac', ...front],
      })),
    ],
  },
};
let merges: MergedVideos;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  merges = await startMergedVideos(cameras);
}, 400_000);
afterAll(() => merges?.end());
afterEach(() => context?.close());

async function openPanel(): Promise<void> {
  await page.getByRole('button', { name: /^(Уведомления|События)/ }).click();
}

describe('a merged video', () => {
  it.each(['door1', 'door2', 'cabin'])(
    'of %s is ready, and plays from end to end',
    async (camera) => {
      ({ page, context } = await merges.openBus());
      await merges.askForMerge(page, camera);
      await openPanel();
      await merges.item(page, camera).getByText('готово').waitFor();
      const merge = await merges.latest();
      const file = await saveMerge(camera, merge);
      merges.checkFile(camera, file);
      await merges.checkPlays(page, merge, merges.lengthOf(camera));
    },
  );

  it('that is too large for a page is fetched by the browser itself, and is told to be taken away when it is', async () => {
    ({ page, context } = await merges.openBus());
    const merge = await merges.latest();
    // Presents the file as one of 2 GB that was not downloaded yet, until it is.
    let isTaken = false;
    await page.route('**/api/notifications', async (route) => {
      const answer = await route.fetch();
      const { merges: shown, ...rest } = (await answer.json()) as Notifications;
      const grown = shown.items.map((one) =>
        one.id === merge.id
          ? { ...one, size_bytes: 2_000_000_000, status: isTaken ? 'SENT' : 'COMPLETE' }
          : one,
      );
      await route.fulfill({
        response: answer,
        json: { ...rest, merges: { ...shown, items: grown } },
      });
    });
    await page.evaluate(() => Reflect.deleteProperty(window, 'showSaveFilePicker'));
    await openPanel();
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
    // A poll may be on its way.
    await page.unrouteAll({ behavior: 'wait' });
  });

  it('of a camera that was exchanged survives a kill of the server, and plays', async () => {
    ({ page, context } = await merges.openBus());
    await merges.askForMerge(page, 'driver');
    await waitFor(async () => (await merges.latest()).progress > 5, 'the work to have begun');
    await merges.product.kill();
    await merges.product.restart();
    await openPanel();
    await merges.item(page, 'driver').getByText('готово').waitFor({ timeout: ANEW_LIMIT_MS });
    const merge = await merges.latest();
    merges.checkFile('driver', await saveMerge('driver', merge));
    await merges.checkPlays(page, merge, merges.lengthOf('driver'));
    expect(readdirSync(path.join(merges.product.dataDir, 'work'))).toEqual([]);
  }, 300_000);

  it('that nobody wants any more is cancelled, and nothing of it stays', async () => {
    ({ page, context } = await merges.openBus({ phone: true }));
    await merges.askForMerge(page, 'driver');
    await openPanel();
    const item = merges.item(page, 'driver');
    await item.getByText('склеивается').waitFor();
    await waitFor(async () => (await merges.latest()).progress > 0, 'the work to have begun');
    await item.getByRole('button', { name: 'Отменить склейку' }).click();
    await item.getByText('Отменено').waitFor();
    expect(await findAxeFaults(page)).toEqual([]);
    expect(await merges.latest()).toMatchObject({ status: 'FAILED', fail_reason: 'cancelled' });
    await waitFor(
      async () => readdirSync(path.join(merges.product.dataDir, 'work')).length === 0,
      'ffmpeg to end',
    );
  });
});

/** @returns the path of the file */
async function saveMerge(camera: string, { download }: MergeRequest): Promise<string> {
  const answer = await fetch(merges.product.url + download);
  const file = path.join(merges.folder, `${camera}.mp4`);
  await writeFile(file, Buffer.from(await answer.arrayBuffer()));
  return file;
}
