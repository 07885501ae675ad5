// The working days of those who use the product, from sign-in to sign-out, at a desk and by finger on a phone.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { findCalculation } from '@ridewatch/contract/calculation';
import { addDays, dayOf, dayRange } from '@ridewatch/contract/day';
import type { ResponseOf } from '@ridewatch/contract/endpoint';
import { HOME_KEPT_MS, type Home } from '@ridewatch/contract/home';
import { kopecksOf, roublesOf } from '@ridewatch/contract/money';
import type { ReviewQueue } from '@ridewatch/contract/review';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser, openContext, typeSignIn, type Visit } from '../harness/browser.ts';
import { type RunningFleet, startFleet } from '../harness/fleet.ts';
import { plainFleet } from '../harness/plain-fleet.ts';
import {
  ask,
  type Product,
  sendRecords,
  setUpFleet,
  signIn,
  startProduct,
  waitFor,
} from '../harness/product.ts';
import { sendRecorded, waitForDay } from '../harness/recorded-fragments.ts';
import { ZONE } from '../harness/zone.ts';

const devices = [
  ['at a desk', {}],
  ['on a phone', { phone: true }],
] as const;
/** A bus with one fare, of the customer of owner2. */
const FARE_BUS = { device: 'SIM-000003', name: 'Е 305 ТХ' };
const DOOR_BUS = 'SIM-000001';
/** The server answers with figures of this age at most, ms. */
const FIGURES_LIMIT_MS = HOME_KEPT_MS + 10_000;
/** Of a row, where no field of a count is, px. */
const ROW_START = { x: 30, y: 20 };
/** Fragments that wait for review, and how many of them each reviewer counts. */
const WAITING = 12;
const REVIEWED = 5;

const yesterday = addDays(dayOf(Date.now(), ZONE), -1);
let product: Product;
let fleet: RunningFleet;
let browser: Browser;
let folder: string;
let context: BrowserContext;
let page: Page;
let isPhone = false;

beforeAll(async () => {
  product = await startProduct();
  fleet = await startFleet(product, 5);
  folder = await mkdtemp(path.join(tmpdir(), 'ridewatch-clips-'));
  const units = await setUpFleet(product.url, plainFleet({ buses: 1, cameras: 1 }));
  const morningMs = dayRange(yesterday, ZONE).startMs + 8 * 3_600_000;
  const recorded = Array.from({ length: WAITING }, (_, n) => ({
    ...{ bus: 0, startMs: morningMs + n * 60_000, lengthMs: 6_000, clip: 'plain.mp4' as const },
    ...{ people: 6, entered: [2_000] },
  }));
  await sendRecorded(product, units, recorded, folder);
  await waitForDay(product, { id: units[0]?.bus_id ?? 0, date: yesterday }, WAITING);
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await fleet?.stop();
  await product?.remove();
  if (folder) await rm(folder, { recursive: true });
});
afterEach(() => context?.close());

/** Opens the product's first page as somebody who begins the day. */
async function begin(login: string, visit: Visit): Promise<void> {
  isPhone = visit.phone ?? false;
  context = await openContext(browser, product.url, { ...visit, touch: isPhone });
  page = await context.newPage();
  await page.goto('/');
  await page.waitForURL(/\/login/);
  await typeSignIn(page, login);
  await page.getByRole('heading', { name: /^Сегодня/ }).waitFor();
}

async function end(): Promise<void> {
  await press(page.getByRole('button', { name: 'Выйти' }).first());
  await page.waitForURL(/\/login/);
}

const press = (what: Locator): Promise<void> => (isPhone ? what.tap() : what.click());
const link = (name: string | RegExp) => page.getByRole('link', { name }).first();
const button = (name: string | RegExp) => page.getByRole('button', { name }).first();
const go = (name: string): Promise<void> =>
  press(page.getByRole('navigation').getByRole('link', { name }).first());

async function read<T>(login: string, address: string): Promise<T> {
  return ask<T>(product.url, await signIn(product.url, login), 'GET', address);
}

async function openBus(name: string): Promise<void> {
  await go('Автобусы');
  await page.getByPlaceholder('Номер автобуса или имя камеры').fill(name);
  await press(link(new RegExp(name)));
  await page.getByRole('heading', { name }).first().waitFor();
}

describe('the day of an owner', () => {
  it.each(devices)(
    'begins with what came in, and ends with what the driver handed in, %s',
    async (_where, visit) => {
      await begin('owner2', visit);
      await press(page.getByRole('region', { name: 'Показатели дня' }).getByText('Вошло'));
      await page.waitForURL(/\/stats\?/);
      // Shortly after midnight nobody has got on.
      await page.getByRole('heading', { name: /^(Вошло|Нет данных)/ }).waitFor();
      await page.goBack();
      await page.getByRole('heading', { name: /^Сегодня/ }).waitFor();

      await openBus(FARE_BUS.name);
      const busId = fleet.busIds.get(FARE_BUS.device);
      // Before the first passenger of a day the page opens on the day before.
      await page.goto(`/bus/${busId}?date=${addDays(yesterday, 1)}`);
      await press(button('Предыдущий день'));
      await page.waitForURL(new RegExp(yesterday));
      await press(button(/К сдаче/));
      const dialog = page.getByRole('dialog', { name: 'Расчёт за день' });
      const cashless = isPhone ? '250' : '100';
      await dialog.getByLabel('Безнал', { exact: true }).fill(cashless);
      await dialog
        .getByText(/Сохранено/)
        .first()
        .waitFor();
      const address = `/api/workplaces/calculation?workplaceId=${busId}&date=${yesterday}`;
      const { total, salary, result } = await read<ResponseOf<typeof findCalculation>>(
        'owner2',
        address,
      );
      const left = kopecksOf(total) - kopecksOf(salary) - Number(cashless) * 100;
      expect(result).toBe(roublesOf(left));
      const shown = new Intl.NumberFormat('ru-RU', { minimumFractionDigits: 2 });
      await dialog
        .getByText(`${shown.format(left / 100)}\u00a0₽`)
        .first()
        .waitFor();
      if (isPhone) await press(dialog.getByRole('button', { name: 'Закрыть' }));
      else await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      await end();
    },
  );
});

describe('the day of a dispatcher', () => {
  it.each(devices)(
    'is where the buses are, a look into one, and the video somebody asked for, %s',
    async (_where, visit) => {
      await begin('operator', visit);
      const { buses } = await read<Home>('operator', '/api/home');
      await page
        .getByText(`${Object.values(buses).reduce((sum, count) => sum + count, 0)}`, {
          exact: true,
        })
        .first()
        .waitFor();
      await openBus('А 472 КМ');
      await press(link('GPS'));
      // At night a bus may stand without a lap.
      await page.getByRole('tab', { name: /^Круг/ }).first().waitFor();

      await page.goto(`/bus/${fleet.busIds.get(DOOR_BUS)}?date=${yesterday}`);
      const first = isPhone ? 0 : 1;
      const fragment = page.locator('li button', { hasText: 'на регистраторе' }).nth(first);
      if (isPhone) await fragment.tap();
      else await fragment.click({ position: ROW_START });
      await press(button('Запросить видео'));
      await page.locator('video').first().waitFor({ timeout: 60_000 });
      if (isPhone) await press(page.getByRole('dialog').getByRole('button', { name: 'Закрыть' }));
      await end();
    },
  );
});

describe('the day of a reviewer', () => {
  it.each(devices)('is the queue, one fragment after the other, %s', async (_where, visit) => {
    await begin('owner1', visit);
    const before = await read<ReviewQueue>('owner1', '/api/segments/review-queue?perPage=1');
    await press(page.getByRole('link', { name: 'Проверить' }));
    await page.waitForURL(/\/review/);
    const panel = page.locator('aside [data-fragment]');
    for (let n = 0; n < REVIEWED; n += 1) {
      await panel.waitFor();
      const shown = await panel.getAttribute('data-fragment');
      if (isPhone) await press(button(/Проверено/));
      else {
        await page.keyboard.press(String(n));
        await page.keyboard.press('Enter');
      }
      await page.locator(`aside [data-fragment]:not([data-fragment="${shown}"])`).waitFor();
    }
    await waitFor(async () => {
      const after = await read<ReviewQueue>('owner1', '/api/segments/review-queue?perPage=1');
      return after.total === before.total - REVIEWED;
    }, 'the fragments to be reviewed');
    // Once is enough: the figures are 20 s old at most.
    if (isPhone) return end();
    await go('Главная');
    const waiting = before.total - REVIEWED;
    const figures = page.getByRole('region', { name: 'Показатели дня' });
    const figure = figures.getByRole('link', { name: /Ждут проверки/ });
    await expect
      .poll(
        async () => {
          await page.reload();
          return figure.textContent();
        },
        { timeout: FIGURES_LIMIT_MS, interval: 2_000 },
      )
      .toMatch(new RegExp(`^Ждут проверки\\s*${waiting}\\D`));
    await end();
  });
});

describe('the day of an administrator', () => {
  it.each(devices)(
    'is a new bus on the line, and somebody who may no longer look, %s',
    async (_where, visit) => {
      const name = visit === devices[1][1] ? 'Т 002 ЕЛ' : 'С 001 ТО';
      const login = visit === devices[1][1] ? 'owner3' : 'owner2';
      const other = await openContext(browser, product.url);
      const theirs = await other.newPage();
      await theirs.goto('/buses');
      await typeSignIn(theirs, login);
      await theirs.getByRole('heading', { name: 'Автобусы' }).waitFor();

      await begin('admin', visit);
      await page.goto('/admin/buses/new');
      const drawer = page.getByRole('complementary');
      await drawer.getByLabel('Название', { exact: true }).fill(name);
      await drawer.getByLabel('Клиенты', { exact: true }).fill('Иван Петров');
      await drawer.getByRole('listitem').filter({ hasText: 'Иван Петров' }).waitFor();
      await press(button('Создать'));
      await page.getByText('Сохранено').first().waitFor();
      await page.goto('/admin/units/new');
      await drawer.getByLabel('Номер прибора', { exact: true }).fill(`RW-${name}`);
      // The form proposes the only bus without a unit.
      const busField = drawer.getByLabel('Автобус', { exact: true });
      await expect.poll(() => busField.inputValue()).toMatch(new RegExp(`^${name}`));
      await press(button('Создать'));
      const credential = (await drawer.locator('code').textContent()) ?? '';
      await sendRecords(product.url, credential, [
        {
          ...{ type: 'position', time: new Date().toISOString() },
          ...{ latitude: 55.75, longitude: 37.61, speed: 30, course: 90, fix: true },
        },
      ]);
      await openBus(name);

      await page.goto(`/admin/users?q=${login}`);
      await press(page.getByRole('row', { name: new RegExp(login) }).getByRole('link'));
      await press(drawer.getByRole('button', { name: 'Изменить' }).first());
      await drawer.getByLabel('Включён', { exact: true }).uncheck();
      await press(button('Сохранить'));
      await theirs.waitForURL(/\/login/);
      await theirs.getByRole('alert').waitFor();
      await other.close();
      await page.goto('/admin/audit');
      await page
        .getByRole('row', { name: new RegExp(login) })
        .first()
        .waitFor();
      await end();
    },
  );
});
