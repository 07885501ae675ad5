import { dayOf } from '@ridewatch/contract/day';
import type { LapSummary } from '@ridewatch/contract/laps';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findAxeFaults } from '../harness/axe.ts';
import { openBrowser } from '../harness/browser.ts';
import {
  drive,
  LAP_ROUBLES,
  lengthMs,
  planOf,
  recalculateDay,
  SHORT_LAP_ROUBLES,
} from '../harness/drive.ts';
import {
  ask,
  type Product,
  sendRecords,
  setUpFleet,
  signIn,
  startProduct,
  waitFor,
} from '../harness/product.ts';
import { openVisit } from '../harness/visits.ts';

const HOUR_MS = 3_600_000;
/** A zone where it is not just after midnight; the second one applies at night in Moscow. */
const ZONE =
  new Date(Date.now() + 3 * HOUR_MS).getUTCHours() >= 4 ? 'Europe/Moscow' : 'America/New_York';
const today = dayOf(Date.now(), ZONE);

let product: Product;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let token: string;
let busId: number;

beforeAll(async () => {
  product = await startProduct();
  token = await signIn(product.url, 'admin');
  const [unit] = await setUpFleet(product.url, planOf(ZONE));
  if (!unit) throw new Error('no unit');
  busId = unit.bus_id;
  const startMs = Date.now() - lengthMs(3) - 5 * 60_000;
  await sendRecords(
    product.url,
    unit.credential,
    drive(startMs, 3, (lap) => lap === 1),
  );
  await recalculateDay(product.url, token, busId, today);
  expect((await laps()).length).toBeGreaterThanOrEqual(3);
  browser = await openBrowser();
  context = await openVisit(browser, product.url, { as: 'operator' });
  page = await context.newPage();
});
afterAll(async () => {
  await context?.close();
  await browser?.close();
  await product?.remove();
});

async function laps(): Promise<LapSummary[]> {
  const address = `/api/bus-stop/day-laps?workplaceId=${busId}&date=${today}`;
  return (await ask<{ items: LapSummary[] }>(product.url, token, 'GET', address)).items;
}

it('an operator adds the short pattern of a route, and the lap that drove it is whole and named by it', async () => {
  expect((await laps()).map(({ incomplete }) => incomplete)).toEqual([null, 'short_turn', null]);
  await page.goto(`/bus/${busId}/route?date=${today}`);
  await page.getByRole('button', { name: 'Добавить вариант' }).click();
  for (const direction of [/^Туда/, /^Обратно/]) {
    const stops = page.getByRole('group', { name: direction });
    await stops.getByLabel('Остановка 4').uncheck();
    await stops.getByLabel('Остановка 5').uncheck();
    await stops.getByText('3 из 5 остановок').waitFor();
  }
  const name = page.getByLabel('Название варианта');
  expect(await name.inputValue()).toBe('Остановка 1 – Остановка 3');
  await name.fill('Короткий');
  expect(await findAxeFaults(page)).toEqual([]);
  await page.getByRole('button', { name: 'Добавить вариант' }).click();
  await page.getByText('Вариант «Короткий» добавлен').waitFor();
  expect(page.url()).toMatch(/pattern=\d+/);
  await page.getByRole('button', { name: 'Сделать основным' }).waitFor();
  expect(await findAxeFaults(page)).toEqual([]);
  await waitFor(
    async () => (await laps()).every(({ incomplete }) => incomplete === null),
    'the laps with both patterns',
  );
  const found = await laps();
  expect(found.map(({ pattern }) => pattern?.name)).toEqual([
    'Остановка 1 – Остановка 5',
    'Короткий',
    'Остановка 1 – Остановка 5',
  ]);
  // The last lap is still open.
  expect(found.slice(0, 2).map(({ revenue }) => revenue)).toEqual([LAP_ROUBLES, SHORT_LAP_ROUBLES]);
  await page.goto(`/bus/${busId}/gps?date=${today}&lap=2`);
  const figures = page.getByRole('region', { name: 'Круг 2' });
  await figures.getByText('Короткий', { exact: true }).waitFor();
  await figures.getByText('6 из 6').waitFor();
});
