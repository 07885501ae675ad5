import type { RouteCost } from '@ridewatch/contract/costs';
import { addDays, dayOf } from '@ridewatch/contract/day';
import type { RouteStop } from '@ridewatch/contract/routes';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { findAxeFaults } from '../harness/axe.ts';
import { openBrowser, type Visit } from '../harness/browser.ts';
import { planOf } from '../harness/drive.ts';
import {
  ask,
  type Product,
  setUpFleet,
  signIn,
  startProduct,
  waitFor,
} from '../harness/product.ts';
import { openVisit } from '../harness/visits.ts';
import { ZONE } from '../harness/zone.ts';

let product: Product;
let browser: Browser;
let token: string;
let busId: number;
let groupId: number;
let stops: RouteStop[];
let contexts: BrowserContext[] = [];

beforeAll(async () => {
  product = await startProduct();
  token = await signIn(product.url, 'admin');
  const [priced] = await setUpFleet(product.url, planOf(ZONE));
  busId = priced?.bus_id ?? 0;
  groupId = (await call<{ group: { id: number } }>('GET', `/api/bus/info/${busId}`)).group.id;
  stops = (await call<{ items: RouteStop[] }>('GET', `/api/groups/${groupId}/stops`)).items;
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await product?.remove();
});
afterEach(async () => {
  for (const context of contexts) await context.close();
  contexts = [];
});

const call = <T>(method: string, address: string, body?: unknown): Promise<T> =>
  ask<T>(product.url, token, method, address, body);

async function openPage(login: string, address: string, visit: Visit = {}): Promise<Page> {
  const context = await openVisit(browser, product.url, { ...visit, as: login });
  contexts.push(context);
  const page = await context.newPage();
  await page.goto(address);
  return page;
}

const prices = (more = '') => `/bus/${busId}/route?part=price${more}`;
const files = (more = '') => `/bus/${busId}/route?part=actions&act=file${more}`;
const cellOf = (page: Page, row: number, column: number) =>
  page.locator(`[data-cell="${row}:${column}"]`);

/** The stored price of the ride between two forward stops. */
async function priceOf(from: number, to: number): Promise<string | undefined> {
  const { items } = await call<{ items: RouteCost[] }>('GET', `/api/route-cost/group/${groupId}`);
  const forward = stops.filter(({ routeDirection }) => routeDirection === 'FORWARD');
  const [a, b] = [forward[from]?.id, forward[to]?.id];
  return items.find((one) => one.from_stop_id === a && one.to_stop_id === b)?.cost;
}

const stopTable = (count: number) => {
  const rows = stops
    .slice(0, count)
    .map(({ name, latitude, longitude }) => `${name},${latitude},${longitude}`);
  const buffer = Buffer.from(['name,lat,lon', ...rows].join('\n'));
  return { name: 'остановки.csv', mimeType: 'text/csv', buffer };
};

describe('a price that is typed', () => {
  it('and not left yet is saved when the page is loaded anew or closed', async () => {
    const page = await openPage('operator', prices());
    await cellOf(page, 0, 1).click();
    await page.keyboard.type('55,55');
    await page.reload();
    await waitFor(async () => (await priceOf(0, 1)) === '55.55', 'the price typed before a reload');
    // The page may have read the table before; who types over a price that has changed is asked.
    await page.goto(prices());
    await expect.poll(() => cellOf(page, 0, 1).inputValue()).toBe('55,55');
    await cellOf(page, 0, 1).click();
    await page.keyboard.type('56');
    await page.close({ runBeforeUnload: true });
    await waitFor(async () => (await priceOf(0, 1)) === '56.00', 'the price typed before the end');
  });

  it('is not there to be taken back before anything was typed', async () => {
    const page = await openPage('operator', prices());
    const undo = page.getByRole('button', { name: 'Отменить' });
    await undo.waitFor();
    expect(await undo.isDisabled()).toBe(true);
    await cellOf(page, 0, 1).click();
    await page.keyboard.press('F2');
    await page.keyboard.press('Enter');
    expect(await undo.isDisabled()).toBe(true);
  });

  it('by two people shows the later one what the earlier one set, and offers his own', async () => {
    const [earlier, later] = [
      await openPage('operator', prices()),
      await openPage('admin', prices()),
    ];
    for (const page of [earlier, later]) await cellOf(page, 0, 2).waitFor();
    const type = async (page: Page, typed: string) => {
      await cellOf(page, 0, 2).click();
      await page.keyboard.type(typed);
      await page.keyboard.press('Enter');
    };
    await type(earlier, '47');
    await waitFor(async () => (await priceOf(0, 2)) === '47.00', 'the earlier price');
    await type(later, '50');
    await later
      .getByText('Другой пользователь уже записал 47,00; ваша цена 50,00 не записана.')
      .waitFor();
    expect(await cellOf(later, 0, 2).textContent()).toBe('47,00');
    expect(await priceOf(0, 2)).toBe('47.00');
    await later.getByRole('button', { name: 'Записать мои' }).click();
    await waitFor(async () => (await priceOf(0, 2)) === '50.00', 'the price that was insisted on');
  });

  it('has room for seven digits, and on a phone a finger finds its cell at once', async () => {
    const page = await openPage('operator', prices(), { phone: true });
    await cellOf(page, 0, 3).click();
    await page.keyboard.type('1234567,89');
    await page.keyboard.press('Enter');
    const isCut = () =>
      cellOf(page, 0, 3).evaluate((cell) => cell.scrollWidth > cell.clientWidth + 1);
    await waitFor(async () => (await cellOf(page, 0, 3).textContent())?.length === 12, 'the price');
    expect(await isCut()).toBe(false);
    const box = await cellOf(page, 0, 1).boundingBox();
    expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(44);
    await page.reload();
    await cellOf(page, 1, 2).waitFor();
    const third = await cellOf(page, 2, 3).boundingBox();
    // Above the bar at the bottom of the window.
    expect((third?.y ?? 844) + (third?.height ?? 0)).toBeLessThan(844 - 56);
  });
});

describe('the price table', () => {
  it('is filled from zones, and a copied block stands where it is pasted', async () => {
    const page = await openPage('operator', prices());
    await page.getByRole('button', { name: 'Заполнить по зонам' }).click();
    await page.getByLabel('1 зона', { exact: true }).fill('33');
    await page.getByRole('button', { name: 'Заполнить', exact: true }).click();
    await waitFor(async () => (await priceOf(1, 2)) === '33.00', 'a price from zones');
    await cellOf(page, 0, 1).click();
    await page.keyboard.type('11');
    await page.keyboard.press('Tab');
    await page.keyboard.type('22');
    await page.keyboard.press('Enter');
    await cellOf(page, 0, 1).click();
    await page.keyboard.press('Shift+ArrowRight');
    await page.keyboard.press('Control+C');
    await cellOf(page, 1, 3).click();
    await page.keyboard.press('Control+V');
    await waitFor(async () => (await priceOf(1, 4)) === '22.00', 'the pasted block');
    expect(await priceOf(1, 3)).toBe('11.00');
  });
});

describe('a file for a route that is there', () => {
  it('says which stops it takes away and asks before it does', async () => {
    const page = await openPage('operator', files());
    await page.getByLabel('Файл маршрута').setInputFiles(stopTable(1));
    await page.getByText('останется 1, добавится 0, исчезнет').waitFor();
    await page.getByText('В файле одна остановка').waitFor();
    expect(await page.getByText(/^Трек .* заменится/).count()).toBe(0);
    await page.getByRole('button', { name: 'Обновить маршрут' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('исчезнет').waitFor();
    expect(await findAxeFaults(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Отмена' }).click();
    const { items } = await call<{ items: RouteStop[] }>('GET', `/api/groups/${groupId}/stops`);
    expect(items).toHaveLength(stops.length);
  });

  it('on a past day says why it cannot be saved, and stays chosen when that is mended', async () => {
    const day = addDays(dayOf(Date.now(), ZONE), -1);
    const page = await openPage('operator', files(`&date=${day}`));
    await page.getByLabel('Файл маршрута').setInputFiles(stopTable(3));
    const update = page.getByRole('button', { name: 'Обновить маршрут' });
    await update.waitFor();
    expect(await update.isDisabled()).toBe(true);
    const closed = page.getByText('он не меняется').locator('..');
    await closed.getByRole('button', { name: 'Изменить с сегодняшнего дня' }).click();
    await page.getByText('остановки.csv').waitFor();
    await waitFor(async () => update.isEnabled(), 'a route that can be updated');
  });
});

describe('a recalculation', () => {
  it('can begin though its preview took too long to look at every day', async () => {
    const today = dayOf(Date.now(), ZONE);
    const from = addDays(today, -9);
    const page = await openPage(
      'operator',
      `/bus/${busId}/route?part=actions&act=recalculate&date=${from}`,
    );
    await page.route('**/api/bus-stop/update/*', async (route) => {
      if (!route.request().postDataJSON()?.preview) return route.fallback();
      const failed = [{ date: addDays(from, 1), reason: 'too_long' }];
      const looked = { items: [], failed, looked_until: addDays(from, 1) };
      await route.fulfill({ json: { ...looked, recalculation: null } });
    });
    await page.getByRole('button', { name: 'Показать изменения' }).click();
    await page.getByText('Первые 2 дня из 10').waitFor();
    expect(await findAxeFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Пересчитать 10 дней' }).click();
    await page.getByText('Пересчитано, ничего не изменилось').waitFor();
  });
});
