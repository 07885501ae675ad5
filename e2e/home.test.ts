// The home page of a thousand buses as users meet it: its figures equal their sources, and its map is one small call.
import { dayOf } from '@ridewatch/contract/day';
import { findHome, PLACES_REFRESH_MS } from '@ridewatch/contract/home';
import type { Browser, BrowserContext, Page, Request } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { findAxeFaults } from '../harness/axe.ts';
import { openBrowser, openContext, type Visit } from '../harness/browser.ts';
import { plainFleet } from '../harness/plain-fleet.ts';
import {
  nowSql,
  type Product,
  queryOf,
  sendRecords,
  setUpFleet,
  startProduct,
} from '../harness/product.ts';
import { casesOf } from '../harness/tries.ts';
import { openVisit } from '../harness/visits.ts';

const BUSES = 1000;
const MOST_REQUESTS = 9;
const PLACES = '/api/gps/all';
const MOST_MAP_BYTES = 50_000;
const MINUTE_MS = 60_000;
let product: Product;
let browser: Browser;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  product = await startProduct();
  const { customers } = plainFleet({ buses: BUSES, cameras: 1 });
  const [one] = customers;
  if (one === undefined) throw new Error('a plan without a customer');
  const [other] = plainFleet({ buses: 1, cameras: 0 }).customers;
  const units = await setUpFleet(product.url, {
    customers: [
      one,
      {
        ...one,
        name: 'Анна',
        surname: 'Соколова',
        buses: (other?.buses ?? []).map((bus) => ({ ...bus, device_id: 'unit-of-anna' })),
      },
    ],
  });
  // Of the last minutes, so that they belong to the running day at any hour.
  const time = new Date().toISOString();
  const people = (direction: string, count: number) => ({
    ...{ type: 'passenger', time, door: 1, direction, passenger: 'adult', count },
  });
  for (const at of [0, 1, BUSES]) {
    const { credential = '' } = units[at] ?? {};
    await sendRecords(product.url, credential, [people('entered', 20), people('exited', 5)]);
  }
  // Every bus drives somewhere in Moscow.
  await queryOf(
    product,
    `update units set last_seen_at = ${nowSql()}, last_moved_at = ${nowSql()}, last_speed_kmh = 30,
      last_course = id % 360, last_latitude = 55.5 + (id % 40) * 0.01, last_longitude = 37.4 + id * 0.0004`,
  );
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await product?.remove();
});
afterEach(() => context?.close());

async function newPage(options: Visit = {}): Promise<void> {
  context = await openVisit(browser, product.url, { as: 'admin', ...options });
  page = await context.newPage();
}
/** A page with an empty cache, to which a story adds scripts of its own. */
async function newContext(): Promise<void> {
  context = await openContext(browser, product.url, { as: 'admin' });
  page = await context.newPage();
}
async function openHome(options: Visit = {}): Promise<void> {
  await newPage(options);
  await page.goto('/');
}
const figures = () => page.getByRole('region', { name: 'Показатели дня' });
const figure = (name: RegExp) => figures().getByRole('link', { name });
const shown = async (name: RegExp): Promise<number> =>
  Number((await figure(name).locator('strong').textContent())?.replace(/\D/g, ''));

describe('the home page', () => {
  it('has figures that equal their sources', async () => {
    await openHome();
    await figures().waitFor();
    expect([await shown(/^Вошло/), await shown(/^Вышло/)]).toEqual([60, 15]);
    expect(await shown(/^Сейчас в салонах/)).toBe(45);
    await figure(/^Вошло/).click();
    await page.waitForURL(/\/stats\?.*key=entered/);
    const total = page.locator('[data-total=entered]');
    await total.waitFor();
    expect((await total.textContent())?.trim()).toMatch(/^60(\s|$)/);
    expect(new URL(page.url()).searchParams.get('from')).toBe(dayOf(Date.now(), 'Europe/Moscow'));
    await page.goBack();
    await figures()
      .getByRole('link', { name: /молчат/ })
      .click();
    await page.waitForURL(/\/buses\?show=silent$/);
    await page.getByRole('button', { name: /^Молчат\s*0$/ }).waitFor();
  });

  it('shows the day of the chosen customer, and its buses in the list', async () => {
    await openHome();
    await page.getByRole('button', { name: /^Чей день: Все клиенты/ }).click();
    await page.getByRole('link', { name: /Анна Соколова/ }).click();
    await page.waitForURL(/\?customer=\d+$/);
    await page.getByRole('button', { name: /^Чей день: Анна Соколова/ }).waitFor();
    expect(await shown(/^Вошло/)).toBe(20);
    await figure(/^Вошло/).click();
    const total = page.locator('[data-total=entered]');
    await total.waitFor();
    expect((await total.textContent())?.trim()).toMatch(/^20(\s|$)/);
    await page.goBack();
    await figures().getByRole('link', { name: 'Автобусы 1' }).click();
    await page.getByRole('button', { name: 'Только Анна Соколова: показать всех' }).waitFor();
    expect(await page.getByRole('article').count()).toBe(1);
  });

  it(`is usable after at most ${MOST_REQUESTS} requests, calls included`, async () => {
    await newContext();
    // The page notes the moment itself: a busy machine tells the test of it after the map's requests have begun.
    await page.addInitScript(() => {
      const usable = new MutationObserver(() => {
        if (!document.querySelector('section[aria-label="Показатели дня"]')) return;
        performance.mark('usable');
        usable.disconnect();
      });
      usable.observe(document, { childList: true, subtree: true });
    });
    await page.goto('/');
    await figures().waitFor();
    const readTimes = () =>
      page.evaluate(() => ({
        usableMs: performance.getEntriesByName('usable')[0]?.startTime ?? 0,
        requests: [
          ...performance.getEntriesByType('navigation'),
          ...performance.getEntriesByType('resource'),
        ].map(({ name, startTime }) => ({ name, startTime })),
      }));
    // A request is listed when it has ended, and the places are asked for after the page is usable.
    await expect
      .poll(async () => (await readTimes()).requests.some(({ name }) => name.endsWith(PLACES)))
      .toBe(true);
    const { usableMs, requests } = await readTimes();
    const asked = requests.filter(({ startTime }) => startTime <= usableMs).map(({ name }) => name);
    expect(asked.length, asked.join('\n')).toBeGreaterThan(1);
    expect(asked.length, asked.join('\n')).toBeLessThanOrEqual(MOST_REQUESTS);
  });

  it('asks for all places by one call, at most once a second, of less than 50 kB', async () => {
    await newContext();
    await page.clock.install();
    const isPlaces = (request: Request) => request.url().endsWith(PLACES);
    const calls: Request[] = [];
    let asked = 0;
    page.on('request', (request) => {
      if (isPlaces(request)) asked += 1;
    });
    page.on('requestfinished', (request) => {
      if (isPlaces(request)) calls.push(request);
    });
    await page.goto('/');
    await expect.poll(() => calls.length).toBe(1);
    await page.clock.pauseAt(Date.now() + MINUTE_MS);
    let seconds = 0;
    // The page sets its timer when it has read an answer, some time after the last byte.
    const runUntil = (count: number) =>
      expect
        .poll(async () => {
          if (asked === calls.length && asked < count) {
            await page.clock.runFor(PLACES_REFRESH_MS);
            seconds += 1;
          }
          return calls.length;
        })
        .toBeGreaterThanOrEqual(count);
    await runUntil(calls.length + 1);
    [asked, seconds] = [0, 0];
    calls.length = 0;
    await runUntil(4);
    expect(calls.length).toBeLessThanOrEqual(seconds);
    for (const request of calls) {
      const { responseBodySize } = await request.sizes();
      expect(responseBodySize).toBeLessThan(MOST_MAP_BYTES);
    }
  });

  it.each([
    ['light', {}],
    ['dark on a phone', { phone: true, dark: true }],
  ])('is accessible in %s', async (_name, options) => {
    await openHome(options);
    await page.getByRole('region', { name: 'Требует внимания' }).waitFor();
    expect(await findAxeFaults(page)).toEqual([]);
    const wider = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(wider).toBe(0);
    await page.goto('/alerts');
    await page.getByRole('button', { name: 'Сохранить' }).waitFor();
    expect(await findAxeFaults(page)).toEqual([]);
  });
});

describe('the strip of figures', () => {
  it('is of one height from 960 to 1920 px, and nothing in it wraps', async () => {
    await openHome();
    await figures().waitFor();
    const [narrow, wide] = [208, 104];
    for (let width = 960; width <= 1920; width += 80) {
      await page.setViewportSize({ width, height: 900 });
      const seen = await figures().evaluate((strip) => ({
        height: strip.clientHeight,
        higher: [...strip.children].filter((one) => one.scrollHeight > one.clientHeight).length,
        wider: [...strip.querySelectorAll('section, ul, li')].filter(
          (one) => one.scrollWidth > one.clientWidth,
        ).length,
        page: document.documentElement.scrollWidth - document.documentElement.clientWidth,
      }));
      const height = width < 1200 ? narrow : wide;
      expect(seen, `${width} px`).toEqual({ height, higher: 0, wider: 0, page: 0 });
    }
  });
});

describe('the head of the page', () => {
  it.each([1280, 1440, 1680])(
    'is as high when figures are incomplete as when they are whole, %d px wide',
    async (width) => {
      const topWith = async (incomplete: number) => {
        await newPage();
        await page.setViewportSize({ width, height: 800 });
        await page.route(`**${findHome.path}*`, async (route) => {
          const response = await route.fetch();
          await route.fulfill({
            response,
            json: { ...(await response.json()), zones: 2, incomplete },
          });
        });
        await page.goto('/');
        const box = await figures().boundingBox();
        await context.close();
        return box?.y;
      };
      expect(await topWith(12)).toBe(await topWith(0));
    },
  );
});

describe('the map of the home page', () => {
  const CLUSTER = 40;

  it('lists the buses at one place when their mark is pressed, and each leads to its bus', async () => {
    await queryOf(
      product,
      // All the others move now: a bus that stands since earlier stories would move the view of the map.
      `with standing as (select id from units order by id limit ${CLUSTER})
      update units set last_seen_at = ${nowSql()},
        last_moved_at = case when id in (table standing) then ${nowSql()} - interval '2 minutes' else ${nowSql()} end,
        last_latitude = case when id in (table standing) then 55.6 else last_latitude end,
        last_longitude = case when id in (table standing) then 37.5 else last_longitude end`,
    );
    await newPage();
    // The places come after the map is drawn.
    const drawn = Promise.withResolvers<void>();
    await page.route(`**${PLACES}*`, async (route) => {
      await drawn.promise;
      await route.continue();
    });
    await page.goto('/?show=standing');
    const map = page.locator('.maplibregl-map[data-drawn]');
    await map.waitFor();
    const list = page.getByRole('region', { name: `Здесь ${CLUSTER} автобусов` });
    const isOpened = async (): Promise<boolean> => {
      if (!(await list.isVisible())) await map.click();
      return list.isVisible();
    };
    await map.click();
    drawn.resolve();
    await expect.poll(isOpened).toBe(true);
    expect(await list.getByRole('link').count()).toBe(CLUSTER);
    await page.keyboard.press('Escape');
    await list.waitFor({ state: 'detached' });
    await map.click();
    await list.getByRole('link').first().click();
    await page.waitForURL(/\/bus\/\d+/);
  });

  it('keeps the picked bus in the address, and shows its route and load', async () => {
    await newPage();
    await page.goto('/');
    await page.getByRole('button', { name: /^Чей день: Все клиенты/ }).click();
    await page.getByRole('link', { name: /Анна Соколова/ }).click();
    const map = page.locator('.maplibregl-map[data-drawn]');
    await map.waitFor();
    const card = page.getByRole('region', { name: 'Автобусы на карте' }).getByRole('status');
    // The view moves to the only bus once its place has arrived.
    const isOpened = async (): Promise<boolean> => {
      if (!(await card.isVisible())) await map.click();
      return card.isVisible();
    };
    await expect.poll(isOpened).toBe(true);
    await page.waitForURL(/[?&]bus=\d+/);
    await card.getByText('15 в салоне').waitFor();
    const opened = page.url();
    // A second press takes the focus to the map.
    await map.click();
    await page.keyboard.press('Escape');
    await page.waitForURL((url) => !url.searchParams.has('bus'));
    await page.goto(opened);
    await card.getByRole('link', { name: 'Открыть' }).click();
    await page.waitForURL(/\/bus\/\d+/);
  });

  it('has a list of all its buses for the keyboard', async () => {
    await openHome();
    await page.getByRole('button', { name: 'Автобусы этой карты списком' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Автобусы этой карты списком' });
    await dialog.getByRole('link', { name: 'ещё 801 — в списке автобусов' }).waitFor();
    expect(await dialog.getByRole('link').count()).toBe(201);
    expect(await findAxeFaults(page)).toEqual([]);
  });
});

describe('a lost connection', () => {
  const devices: [name: string, visit: Visit][] = [
    ['a desktop', {}],
    ['a phone', { phone: true }],
  ];
  it.each(casesOf(devices, 1))('moves nothing on the page of %s', async (_name, visit) => {
    await openHome(visit);
    await figures().waitFor();
    const top = async () => (await figures().boundingBox())?.y;
    const before = await top();
    await page.evaluate(() => {
      const shifts: number[] = [];
      Object.assign(window, { shifts });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries())
          shifts.push((entry as { value?: number }).value ?? 0);
      }).observe({ type: 'layout-shift' });
    });
    await context.route(/\/api\//, (route) => route.abort());
    const bar = page.getByText(/Нет связи с сервером/);
    await bar.waitFor();
    expect(await top()).toBe(before);
    await context.unroute(/\/api\//);
    await bar.waitFor({ state: 'detached' });
    expect(await top()).toBe(before);
    const shifted = await page.evaluate(() =>
      (window as unknown as { shifts: number[] }).shifts.reduce((sum, one) => sum + one, 0),
    );
    expect(shifted).toBeLessThanOrEqual(0.02);
  });
});
