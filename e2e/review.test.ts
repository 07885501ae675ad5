import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { addDays, dayOf, dayRange } from '@ridewatch/contract/day';
import type { FleetPlan } from '@ridewatch/contract/fleet';
import type { Fragment } from '@ridewatch/contract/fragments';
import type { ReviewQueue } from '@ridewatch/contract/review';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { findAxeFaults } from '../harness/axe.ts';
import { openBrowser, playsVideos, type Visit } from '../harness/browser.ts';
import { plainFleet } from '../harness/plain-fleet.ts';
import {
  ask,
  type Product,
  setUpFleet,
  signIn,
  startProduct,
  waitFor,
} from '../harness/product.ts';
import { sendRecorded, waitForDay } from '../harness/recorded-fragments.ts';
import { triesEverything } from '../harness/tries.ts';
import { openVisit } from '../harness/visits.ts';
import { ZONE } from '../harness/zone.ts';

const date = addDays(dayOf(Date.now(), ZONE), -1);
const morningMs = dayRange(date, ZONE).startMs + 8 * 3_600_000;
/** Fragments of each of two buses; those with many people in view wait for review. */
const FRAGMENTS = triesEverything ? 24 : 7;
const WAITING = 2 * FRAGMENTS;
/** The fragments that one person counts at a stretch. */
const COUNTED = triesEverything ? 40 : 10;

let product: Product;
let browser: Browser;
let folder: string;
let busIds: number[];
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  product = await startProduct();
  folder = await mkdtemp(path.join(tmpdir(), 'ridewatch-clips-'));
  const [one] = plainFleet({ buses: 1, cameras: 1 }).customers;
  const plan = (surname: string, name: string, device: string): FleetPlan['customers'][number] => {
    if (one === undefined) throw new Error('a plan without a customer');
    return {
      ...one,
      name,
      surname,
      buses: one.buses.map((bus) => ({ ...bus, device_id: device })),
    };
  };
  const units = await setUpFleet(product.url, {
    customers: [plan('Петров', 'Иван', 'unit-1'), plan('Соколова', 'Анна', 'unit-2')],
  });
  busIds = units.map(({ bus_id }) => bus_id);
  const recorded = [0, 1].flatMap((bus) =>
    Array.from({ length: FRAGMENTS }, (_, n) => ({
      bus,
      startMs: morningMs + (2 * n + bus) * 60_000,
      lengthMs: 6_000,
      clip: 'plain.mp4' as const,
      people: 5 + (n % 4),
      entered: [2_000],
    })),
  );
  await sendRecorded(product, units, recorded, folder);
  for (const id of busIds) await waitForDay(product, { id, date }, FRAGMENTS);
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await product?.remove();
  if (folder) await rm(folder, { recursive: true });
});
afterEach(() => context?.close());

async function newPage(login: string, options: Visit = {}): Promise<void> {
  context = await openVisit(browser, product.url, { ...options, as: login });
  page = await context.newPage();
  await page.goto('/');
}

async function queueOf(login: string): Promise<ReviewQueue> {
  const token = await signIn(product.url, login);
  return ask<ReviewQueue>(product.url, token, 'GET', '/api/segments/review-queue?perPage=999');
}
const panel = () => page.locator('aside [data-fragment]');
const shownId = async (): Promise<number> => {
  await panel().waitFor();
  return Number(await panel().getAttribute('data-fragment'));
};

describe('the queue of what waits for review', () => {
  it('is found in the menu, and has the fragments of all buses, the latest first', async () => {
    await newPage('admin');
    await page.getByRole('link', { name: 'На проверку' }).click();
    await page.waitForURL(/\/review/);
    const { items } = await queueOf('admin');
    expect(items).toHaveLength(WAITING);
    expect(new Set(items.map(({ workplace_id }) => workplace_id))).toEqual(new Set(busIds));
    expect(await shownId()).toBe(items[0]?.segment_id);
    await page.getByText(`Вы проверили сегодня 0 из ${WAITING}`).waitFor();
  });

  it('is gone on with where one stopped, after a reload and on another day', async () => {
    await newPage('admin');
    await page.goto('/review');
    const { items } = await queueOf('admin');
    expect(await shownId()).toBe(items[0]?.segment_id);
    for (const wanted of items.slice(1, 4)) {
      await page.keyboard.press('ArrowDown');
      await page.locator(`aside [data-fragment="${wanted.segment_id}"]`).waitFor();
    }
    await page.waitForURL(new RegExp(`fragment=${items[3]?.segment_id}`));
    await page.reload();
    expect(await shownId()).toBe(items[3]?.segment_id);
    await page.goto('/buses');
    await page.getByRole('link', { name: 'На проверку' }).click();
    expect(await shownId()).toBe(items[3]?.segment_id);
    // The fragments before it stay in the queue.
    await page.getByRole('button', { name: 'В начале очереди ещё 3' }).click();
    await page.locator(`aside [data-fragment="${items[0]?.segment_id}"]`).waitFor();
  });

  it('lets one fragment after the other be counted without a mouse, each with its video', async ({
    skip,
  }) => {
    if (!(await playsVideos(browser))) skip('this browser plays no H.264 video');
    await newPage('admin');
    await page.goto('/review');
    const { items } = await queueOf('admin');
    const first = items.findIndex(({ segment_id }) => segment_id === items[0]?.segment_id);
    for (const [n, { segment_id }] of items.slice(first, first + COUNTED).entries()) {
      await page.locator(`aside [data-fragment="${segment_id}"]`).waitFor();
      await page.waitForFunction(() => (document.querySelector('video')?.readyState ?? 0) >= 2);
      // Every fourth count is correct.
      if (n % 4 !== 3) await page.keyboard.press(String(n % 10));
      await page.keyboard.press('Enter');
    }
    await waitFor(
      async () => (await queueOf('admin')).reviewed_today === COUNTED,
      'the fragments to be reviewed',
    );
    const after = await queueOf('admin');
    expect([after.total, after.reviewers]).toEqual([
      WAITING - COUNTED,
      [{ login: 'admin', reviewed: COUNTED }],
    ]);
    const token = await signIn(product.url, 'admin');
    const typed = await Promise.all(
      items.slice(0, 5).map(async ({ segment_id }) => {
        const one = await ask<Fragment>(product.url, token, 'GET', `/api/segments/${segment_id}`);
        return one.entered_manual.adult;
      }),
    );
    expect(typed).toEqual([0, 1, 2, null, 4]);
    await page.getByText(`Вы проверили сегодня ${COUNTED} из ${WAITING}`).waitFor();
    expect(await page.locator('header li', { hasText: 'admin' }).textContent()).toBe(
      `admin ${COUNTED}`,
    );
  });

  it('ends, and says so', async () => {
    await newPage('owner1');
    await page.goto('/review');
    const { items } = await queueOf('owner1');
    expect(items.length).toBeGreaterThan(0);
    for (const { segment_id } of items) {
      await page.locator(`aside [data-fragment="${segment_id}"]`).waitFor();
      await page.keyboard.press('Enter');
    }
    await page.getByRole('heading', { name: 'Очередь пройдена' }).waitFor();
    // The page is ahead of the server: a reload would abort its requests.
    await expect.poll(async () => (await queueOf('owner1')).items).toEqual([]);
    await page.reload();
    await page.getByRole('heading', { name: 'Всё проверено' }).waitFor();
  });
});

describe('somebody without the edit right', () => {
  it('finds no queue in the menu and no field in the list, and is refused when asking by hand', async () => {
    await newPage('owner2');
    await page.goto('/buses');
    await page.getByRole('link', { name: /Автобус 1/ }).waitFor();
    expect(await page.getByRole('link', { name: 'На проверку' }).count()).toBe(0);
    await page.goto(`/bus/${busIds[1]}?date=${date}`);
    await page.locator('[data-fragments] li').first().waitFor();
    expect(await page.locator('[data-count]').count()).toBe(0);
    await page.goto('/review');
    await page.getByRole('heading', { name: 'Проверять подсчёт может не каждый' }).waitFor();

    const token = await signIn(product.url, 'owner2');
    const bus = { id: busIds[1] ?? 0, date };
    const [segment] = await waitForDay(product, bus, 1);
    const none = { adult: null, kids: null };
    const asked = await Promise.all(
      [
        [
          `/api/segments/update-events/${segment?.id}`,
          { entered_manual: none, exited_manual: none },
        ],
        [`/api/segments/reviewed/${segment?.id}`, {}],
      ].map(([address, body]) =>
        fetch(`${product.url}${address}`, {
          method: 'POST',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }),
      ),
    );
    expect(asked.map(({ status }) => status)).toEqual([403, 403]);
  });
});

describe('the screen of the queue', () => {
  it('opens on a phone at its top, with the player in sight', async () => {
    await newPage('admin', { phone: true });
    await page.goto('/review');
    await panel().waitFor();
    await page.locator('[data-fragments] [aria-current]').waitFor();
    await page.waitForURL(/fragment=/);
    expect(await page.evaluate(() => window.scrollY)).toBe(0);
  });

  it('has a list as high as the window of a desktop allows', async () => {
    await newPage('admin');
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto('/review');
    await panel().waitFor();
    // With the keys below.
    const list = await page.locator('[data-fragments]').locator('..').boundingBox();
    const end = (list?.y ?? 0) + (list?.height ?? 0);
    expect(end).toBeLessThanOrEqual(900);
    expect(end).toBeGreaterThan(900 - 32);
  });

  it.each([
    ['light', false, false],
    ['dark on a phone', true, true],
  ])('is accessible in %s', async (_name, dark, phone) => {
    await newPage('admin', { dark, phone });
    await page.goto('/review');
    await panel().waitFor();
    expect(await findAxeFaults(page)).toEqual([]);
    const wider = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(wider).toBe(0);
  });

  it('says that the server is in trouble, and goes on when it is not', async () => {
    await newPage('admin');
    await page.route('**/api/segments/review-queue*', (route) =>
      route.fulfill({ status: 503, json: { error: 'unavailable', message: 'no' } }),
    );
    await page.goto('/review');
    await page.getByRole('heading', { name: 'Очередь не загрузилась' }).waitFor();
    await page.unroute('**/api/segments/review-queue*');
    await page.getByRole('button', { name: 'Повторить' }).click();
    await panel().waitFor();
  });
});
