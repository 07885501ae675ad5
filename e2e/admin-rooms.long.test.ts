// The rooms in which an administrator looks after the installation: storage, background jobs, and notices of what runs
// out. The disk is a file's figures, and what answers at the public address is a server of the story.
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { hostname, tmpdir } from 'node:os';
import path from 'node:path';
import { createServer, type Server } from 'node:tls';
import type { StorageUse } from '@ridewatch/contract/admin-work';
import { addDays, dayOf, dayRange } from '@ridewatch/contract/day';
import type { Fragment } from '@ridewatch/contract/fragments';
import { makeCertificate } from '@ridewatch/server/src/test/self-signed.ts';
import pg from 'pg';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { findAxeFaults } from '../harness/axe.ts';
import { openBrowser } from '../harness/browser.ts';
import { plainFleet } from '../harness/plain-fleet.ts';
import {
  ask,
  databaseUrl,
  type Product,
  queryOf,
  setUpFleet,
  signIn,
  startProduct,
  waitFor,
} from '../harness/product.ts';
import { sendRecorded, waitForDay } from '../harness/recorded-fragments.ts';
import { openVisit } from '../harness/visits.ts';
import { ZONE } from '../harness/zone.ts';

const DAY_MS = 86_400_000;
const GIB = 1024 ** 3;
/** Within the retention of an installation, and beyond the one that the story sets. */
const date = addDays(dayOf(Date.now(), ZONE), -40);

let folder: string;
let proxy: Server;
let product: Product;
let browser: Browser;
let busId: number;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'ridewatch-rooms-'));
  await setDisk(400 * GIB);
  proxy = createServer(makeCertificate(Date.now() + 9.5 * DAY_MS));
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const disk = new URL('../harness/fake-disk.ts', import.meta.url);
  disk.searchParams.set('room', path.join(folder, 'disk'));
  product = await startProduct({
    env: {
      ...{ NODE_OPTIONS: `--import=${disk.href}`, DISK_CROWDED: '85', DISK_FULL: '98' },
      PUBLIC_URL: `https://${publicHost()}`,
    },
  });
  const units = await setUpFleet(product.url, plainFleet({ buses: 1, cameras: 1 }));
  busId = units[0]?.bus_id ?? 0;
  const startMs = dayRange(date, ZONE).startMs + 8 * 3_600_000;
  const recorded = { bus: 0, lengthMs: 6_000, clip: 'plain.mp4' as const, entered: [2_000] };
  await sendRecorded(product, units, [{ ...recorded, startMs }], folder);
  await waitForDay(product, { id: busId, date }, 1);
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await product?.remove();
  proxy?.close();
  if (folder) await rm(folder, { recursive: true });
});
afterEach(() => context?.close());

/** Sets how much of a disk of 1000 GiB is free. */
const setDisk = (freeBytes: number): Promise<void> =>
  writeFile(path.join(folder, 'disk'), `${1000 * GIB} ${freeBytes}`);
const publicHost = () => `localhost:${(proxy.address() as AddressInfo).port}`;
const query = (text: string, values: readonly unknown[] = []) => queryOf(product, text, values);
const read = async <T>(address: string): Promise<T> =>
  ask<T>(product.url, await signIn(product.url, 'admin'), 'GET', address);

/** Adds a job of a schedule now. @param tries after which it has failed for good */
async function addJob(job: 'retention' | 'watch_attention', tries: number): Promise<string> {
  const key = `${job} now`;
  const add = 'select graphile_worker.add_job($1, job_key := $2, max_attempts := $3)';
  await query(add, [job, key, tries]);
  return key;
}
async function untilDone(key: string): Promise<void> {
  const isDone = async () =>
    (await query('select from graphile_worker.jobs where key = $1', [key])).rowCount === 0;
  await waitFor(isDone, `${key} to be done`);
}

/** Has the worker read its disk now, not only with the next minute. */
const readDisk = async () => untilDone(await addJob('watch_attention', 25));

async function open(address: string, as = 'admin'): Promise<void> {
  context = await openVisit(browser, product.url, { as });
  page = await context.newPage();
  await page.goto(address);
}
const button = (name: string) => page.getByRole('button', { name, exact: true });
const drawer = (name: string) => page.getByRole('complementary', { name });
const section = (name: string) =>
  page.getByRole('navigation', { name: 'Разделы управления' }).getByRole('link', { name });
const row = (name: RegExp) => page.getByRole('row', { name });

it('storage says what video takes and how full the disk is, and leads to how long it is kept', async () => {
  const { items } = await read<{ items: StorageUse[] }>('/api/admin/storage');
  const use = items.find(({ fragments }) => fragments === 1);
  expect(use?.bytes).toBeGreaterThan(0);
  await readDisk();
  await query(`insert into disk_readings
    select machine, date_trunc('hour', read_at - interval '2 days'), ${560 * GIB} from disks`);
  await open('/admin');
  await section('Хранение').click();
  await page.getByText('Диск занят на 60 %').waitFor();
  await page.getByText('свободно 400 ГБ из 1\u00a0000 ГБ').waitFor();
  await page.getByText(`${hostname()}, сведения за `).waitFor();
  // 250 GiB are left until 85 %, at 20 GiB a day.
  await page.getByText('Хватит на 12 дней').waitFor();
  await page.getByText('до 85 %, когда удаляется старое видео').waitFor();
  expect(await findAxeFaults(page)).toEqual([]);
  await row(/Петров/)
    .getByRole('link')
    .click();
  const size = `${Math.round((use?.bytes ?? 0) / 1024 ** 2)} МБ`;
  await drawer('Иван Петров').getByText(size, { exact: true }).first().waitFor();
  await drawer('Иван Петров').getByRole('link', { name: 'Изменить сроки хранения' }).click();
  await page.waitForURL(/\/admin\/customers\/\d+/);
  await button('Изменить сроки').click();
  await page.getByLabel('Видео', { exact: true }).fill('30');
  await button('Сохранить').click();
  await button('Изменить сроки').waitFor();
  await drawer('Иван Петров').getByText('30', { exact: true }).waitFor();
});

it('a failed job is found with its advice, and does its work when it is run again', async () => {
  await query(`update segment_files set created_at = created_at - interval '400 days'`);
  // Somebody's long work on the table: the nightly job waits for it in vain.
  const other = new pg.Client({ connectionString: await databaseUrl(product) });
  await other.connect();
  await other.query('begin');
  await other.query('lock table segment_files in share row exclusive mode');
  const key = await addJob('retention', 1);
  const hasFailed = async () =>
    (
      await query('select from graphile_worker.jobs where key = $1 and last_error is not null', [
        key,
      ])
    ).rowCount === 1;
  await waitFor(hasFailed, 'the job to give up', 120_000);

  await open('/admin/jobs');
  await page.getByText('не удалось: 1').waitFor();
  const failed = row(/удаление устаревшего.*не удалось.*не успело в отведённое время/);
  await failed.getByText('не повторится').waitFor();
  await failed.getByRole('link').click();
  const job = drawer('удаление устаревшего');
  await job.getByText('Нажмите «Выполнить сейчас», когда сервер будет меньше занят.').waitFor();
  await job.getByText('Запись об ошибке').click();
  await job.getByText('canceling statement due to lock timeout').waitFor();
  expect(await findAxeFaults(page)).toEqual([]);

  await other.query('rollback');
  await other.end();
  await button('Выполнить сейчас').click();
  await untilDone(key);
  await page.getByText('В очереди его больше нет.').waitFor();
  await failed.waitFor({ state: 'detached' });
  const [fragment] = await waitForDay(product, { id: busId, date }, 0);
  expect((fragment as Fragment).playback_uri).toBeNull();
  await page.goto(`/bus/${busId}?date=${date}&fragment=${fragment?.id}`);
  await page.getByText(/Видео удалено .*: срок хранения истёк\./).waitFor();
});

it('a crowded disk says what is done and what to do, with the ways there', async () => {
  await setDisk(120 * GIB);
  await readDisk();
  await open('/admin/storage');
  await page.getByText('Диск занят на 88 %').waitFor();
  await page.getByText(/^Чтобы освободить место, задание удаляет самое старое видео/).waitFor();
  expect(await findAxeFaults(page)).toEqual([]);
  await page.getByRole('link', { name: /^Неудавшиеся задания/ }).click();
  await page.waitForURL(/\/admin\/jobs\?state=failed/);
  await page.getByText('найдено 0').waitFor();
  await setDisk(400 * GIB);
});

it('a certificate is noticed before it ends, by administrators alone, until it is renewed', async () => {
  const notice = () =>
    page.getByText(`сертификат ${publicHost()} — через 9 дней. Обновите сертификат прокси`);
  await untilDone(await addJob('watch_attention', 25));
  await open('/');
  const attention = page.getByRole('region', { name: 'Требует внимания' });
  await attention.filter({ has: notice() }).getByText('Скоро закончится').waitFor();
  expect(await findAxeFaults(page)).toEqual([]);
  await page.getByRole('button', { name: /^Уведомления: / }).click();
  const panel = page.getByRole('dialog', { name: /^Уведомления/ });
  await panel.filter({ has: notice() }).waitFor();
  await context.close();

  await open('/', 'owner1');
  await attention.waitFor();
  expect(await notice().count()).toBe(0);
  await context.close();

  proxy.setSecureContext(makeCertificate(Date.now() + 89 * DAY_MS));
  // The certificate is read once an hour, and at the start.
  await product.stop();
  await product.restart();
  await untilDone(await addJob('watch_attention', 25));
  await open('/');
  await attention.waitFor();
  expect(await notice().count()).toBe(0);
});
