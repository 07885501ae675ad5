// Retention as users see it. The tests make rows in the database older instead of waiting.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { addDays, dayOf, dayRange, formatMoment } from '@ridewatch/contract/day';
import type { Fragment } from '@ridewatch/contract/fragments';
import type { MergeRequest } from '@ridewatch/contract/merges';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { findAxeFaults } from '../harness/axe.ts';
import { openBrowser, openContext, playsVideos, signInAs, type Visit } from '../harness/browser.ts';
import { plainFleet } from '../harness/plain-fleet.ts';
import {
  ask,
  type Product,
  queryOf,
  setUpFleet,
  signIn,
  startProduct,
  waitFor,
} from '../harness/product.ts';
import { sendRecorded, waitForDay } from '../harness/recorded-fragments.ts';
import { ZONE } from '../harness/zone.ts';

const today = dayOf(Date.now(), ZONE);
/** Days beyond the retention of video, within it, and yesterday. */
const [longAgo, lately, yesterday] = [-100, -10, -1].map((days) => addDays(today, days)) as [
  string,
  string,
  string,
];
const shortDay = (day: string): string => day.split('-').reverse().join('.');
const KEEP = 'Хранить видео без срока';
const NO_LONGER = 'Больше не хранить без срока';

let product: Product;
let browser: Browser;
let folder: string;
let busId: number;
const days: Record<string, Fragment[]> = {};
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'ridewatch-clips-'));
  await setDisk(1_000_000, 600_000);
  const disk = new URL('../harness/fake-disk.ts', import.meta.url);
  disk.searchParams.set('room', path.join(folder, 'disk'));
  product = await startProduct({
    env: { NODE_OPTIONS: `--import=${disk.href}`, DISK_CROWDED: '85', DISK_FULL: '98' },
  });
  const units = await setUpFleet(product.url, plainFleet({ buses: 1, cameras: 1 }));
  busId = units[0]?.bus_id ?? 0;
  const recorded = [longAgo, lately, yesterday].flatMap((date) =>
    [0, 10].map((minute) => ({
      bus: 0,
      startMs: dayRange(date, ZONE).startMs + 8 * 3_600_000 + minute * 60_000,
      lengthMs: 6_000,
      clip: 'plain.mp4' as const,
      people: date === yesterday ? 5 : 0,
      entered: [2_000, 3_000],
    })),
  );
  await sendRecorded(product, units, recorded, folder);
  for (const date of [longAgo, lately, yesterday]) {
    days[date] = await waitForDay(product, { id: busId, date }, 2);
  }
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await product?.remove();
  if (folder) await rm(folder, { recursive: true });
});
afterEach(() => context?.close());

const idOf = (date: string, index: number): number => days[date]?.[index]?.id ?? 0;
const setDisk = (bytes: number, freeBytes: number): Promise<void> =>
  writeFile(path.join(folder, 'disk'), `${bytes} ${freeBytes}`);

const query = (text: string, values: readonly unknown[] = []) => queryOf(product, text, values);

/** Runs a nightly job, or one of every minute, now. */
async function doNow(job: 'retention' | 'watch_disk'): Promise<void> {
  const key = `${job} now`;
  await query('select graphile_worker.add_job($1, job_key := $2)', [job, key]);
  await waitFor(
    async () =>
      (await query('select 1 from graphile_worker.jobs where key = $1', [key])).rowCount === 0,
    `${job} to be done`,
  );
}

async function visit(login: string, options: Visit = {}): Promise<void> {
  context = await openContext(browser, product.url, options);
  page = await context.newPage();
  await signInAs(page, login);
}

const row = (id: number) => page.locator(`[data-fragments] li[data-fragment="${id}"]`);
const pin = (name: string) => page.getByRole('button', { name, exact: true });
const panel = () => page.locator('aside[data-view]');

async function openFragment(date: string, index: number): Promise<void> {
  await page.goto(`/bus/${busId}?date=${date}&fragment=${idOf(date, index)}`);
  await panel().waitFor();
}

/** Presses the pin and waits until it is stored. */
async function pressPin(): Promise<void> {
  await pin(KEEP).click();
  await page.locator('button[aria-pressed=true]:enabled', { has: page.locator('svg') }).waitFor();
  await pin(NO_LONGER).waitFor();
}

describe('the pin of a fragment', () => {
  it.each([
    ['on the count tab', () => openFragment(yesterday, 0)],
    ['in the queue of what waits for review', () => page.goto('/review')],
  ])('is pressed and let go %s, and is so after a reload', async (_, open) => {
    await visit('admin');
    await open();
    for (const [now, then] of [
      [KEEP, NO_LONGER],
      [NO_LONGER, KEEP],
    ] as const) {
      const saved = page.waitForResponse((answer) => answer.url().includes('/segments/keep/'));
      await pin(now).click();
      await pin(then).waitFor();
      await (await saved).finished();
      await page.reload();
      await pin(then).waitFor();
      expect(await pin(then).getAttribute('aria-pressed')).toBe(String(then === NO_LONGER));
    }
    expect(await findAxeFaults(page)).toEqual([]);
  });
});

describe('video whose days are over', () => {
  it('stays where it is kept; beside it it is deleted, as list, timeline and panel say, and counts stay', async () => {
    const [kept, beside] = [idOf(longAgo, 0), idOf(longAgo, 1)];
    await visit('admin');
    await openFragment(longAgo, 1);
    const countsOf = (id: number) =>
      row(id)
        .locator('input')
        .evaluateAll((all) => all.map((one) => (one as HTMLInputElement).value));
    await row(beside).locator('[data-count="exitedAdult"]').fill('7');
    await page.getByText('сохранено', { exact: true }).waitFor();
    const counts = await countsOf(beside);
    const address =
      (await page.getByRole('link', { name: 'обработанное' }).getAttribute('href')) ?? '';
    expect((await page.request.get(address)).status()).toBe(200);
    await openFragment(longAgo, 0);
    await pressPin();

    await query(
      `update segment_files set created_at = created_at - interval '99 days'
      where segment_id = any($1::bigint[])`,
      [[kept, beside]],
    );
    await doNow('retention');
    await openFragment(longAgo, 1);
    await row(beside).getByText('удалено').waitFor();
    await row(kept).getByText('готово').waitFor();
    expect(await countsOf(beside)).toEqual(counts);
    expect(counts).toContain('7');
    await panel()
      .getByText(`Видео удалено ${shortDay(today)}: срок хранения истёк.`)
      .waitFor();
    await panel().getByText('+2', { exact: true }).waitFor();
    await panel().getByText('−7', { exact: true }).waitFor();
    expect(await pin(KEEP).count()).toBe(0);
    expect(await panel().getByRole('link', { name: 'обработанное' }).count()).toBe(0);
    await waitFor(
      async () => (await page.request.get(address)).status() === 404,
      'the address of the video to end',
    );
    expect(await findAxeFaults(page)).toEqual([]);
    await checkTimeline(longAgo, 1, 'удалено');
    await checkTimeline(longAgo, 0, 'готово');

    await openFragment(longAgo, 0);
    await pin(NO_LONGER).waitFor();
    if (await playsVideos(browser)) {
      await page.waitForFunction(() => (document.querySelector('video')?.readyState ?? 0) >= 2);
    }
  });
});

// Checks the text of the timeline for a fragment under the pointer.
async function checkTimeline(date: string, index: number, said: string): Promise<void> {
  const line = page.getByRole('slider', { name: /Шкала записей/ });
  const [startMs = 0, endMs = 1] = ((await line.getAttribute('data-view')) ?? '')
    .split('-')
    .map(Number);
  const { width } = (await line.boundingBox()) ?? { width: 0 };
  const atMs = Date.parse(days[date]?.[index]?.start_time ?? '') + 3_000;
  await line.hover({ position: { x: ((atMs - startMs) / (endMs - startMs)) * width, y: 40 } });
  await line.getByText(`Дверь 1 · ${said}`).waitFor();
}

describe('a disk that fills up', () => {
  it('is told to administrators with what was deleted, and not to owners', async () => {
    // Over 85 % by less than the size of the oldest unkept fragment.
    await setDisk(1_000_000, 149_000);
    await waitFor(async () => {
      await doNow('watch_disk');
      return (await query("select 1 from messages where key = 'disk'")).rowCount === 1;
    }, 'the disk to be looked at');
    await visit('admin');
    const notice = page.getByRole('complementary', { name: 'Диск сервера заполнен на 85 %' });
    await notice.getByText(/удалено видео 1 самого старого фрагмента/).waitFor();
    await notice.getByText(shortDay(lately)).waitFor();
    expect(await findAxeFaults(page)).toEqual([]);
    await openFragment(lately, 0);
    await panel()
      .getByText(`Видео удалено ${shortDay(today)}: диск был полон.`)
      .waitFor();
    await openFragment(longAgo, 0);
    await pin(NO_LONGER).waitFor();
    await context.close();

    await visit('owner1');
    await page.getByRole('complementary').first().waitFor();
    expect(await page.getByText('Диск сервера').count()).toBe(0);
  });
});

describe('a merged file', () => {
  it('whose days are over cannot be taken away any more, and the panel says so', async () => {
    const token = await signIn(product.url, 'admin');
    const [first] = days[yesterday] ?? [];
    const request = {
      from: first?.start_time,
      to: days[yesterday]?.at(-1)?.end_time,
      deviceId: first?.cameraId,
    };
    const { id } = await ask<MergeRequest>(
      product.url,
      token,
      'POST',
      '/api/concatenated-medias/merge',
      request,
    );
    await visit('admin');
    await page.getByRole('button', { name: /^Уведомления/ }).click();
    const panel = page.getByRole('dialog', { name: /^Уведомления/ });
    const item = panel.getByRole('region', { name: /^Склейки/ }).getByRole('listitem');
    await item.getByText('готово').waitFor({ timeout: 60_000 });
    const until = formatMoment(Date.now() + 7 * 86_400_000, ZONE, 'DD.MM');
    await item.getByText(`до ${until}`).waitFor();
    const { items } = await ask<{ items: MergeRequest[] }>(
      product.url,
      token,
      'GET',
      '/api/concatenated-medias',
    );
    const address = items.find((one) => one.id === id)?.download ?? '';
    expect((await page.request.head(address)).status()).toBe(200);

    await query(
      `update merge_requests set completed_at = completed_at - interval '7 days'
      where id = $1`,
      [id],
    );
    await doNow('retention');
    await item.getByRole('button', { name: 'Скачать', exact: true }).click();
    await page.getByText('Срок хранения этого файла истёк').waitFor();
    await item.waitFor({ state: 'detached' });
    expect((await page.request.get(address)).status()).toBe(404);
  });
});
