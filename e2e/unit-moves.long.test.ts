// A fitter has put a unit into another bus, and the office writes it down an hour later.

import { randomUUID } from 'node:crypto';
import { FALLBACK_ZONE, formatMoment } from '@ridewatch/contract/day';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { findAxeFaults } from '../harness/axe.ts';
import { openBrowser } from '../harness/browser.ts';
import { ask, type Product, queryOf, signIn, startProduct } from '../harness/product.ts';
import { openVisit } from '../harness/visits.ts';

const MINUTE_MS = 60_000;

let product: Product;
let browser: Browser;
let context: BrowserContext;
let page: Page;
const buses: { id: number; name: string }[] = [];
let unit: { id: number };
let credential: string;

beforeAll(async () => {
  product = await startProduct();
  browser = await openBrowser();
  const token = await signIn(product.url, 'admin');
  const post = <T>(path: string, body: object) => ask<T>(product.url, token, 'POST', path, body);
  const customer = await post<{ id: number }>('/api/admin/customers', { name: 'Парк Юг' });
  for (const name of ['А 101', 'Б 202']) {
    const bus = { name, client_ids: [customer.id], timezone: 'Europe/Moscow' };
    buses.push(await post('/api/admin/buses', bus));
  }
  const place = { device_id: 'RW-7', bus_id: buses[0]?.id };
  ({ unit, credential } = await post<{ unit: { id: number }; credential: string }>(
    '/api/admin/units',
    place,
  ));
  await sendPeople(70, 50, 20);
});
afterAll(async () => {
  await browser?.close();
  await product?.remove();
});
afterEach(() => context?.close());

const stream = randomUUID();
let seq = 0;
/** Sends one person for each of some minutes ago. */
async function sendPeople(...ago: readonly number[]): Promise<void> {
  const nowMs = Date.now();
  const answer = await fetch(`${product.url}/unit/v1/batches`, {
    method: 'POST',
    headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      ...{ stream, sent_at: new Date(nowMs).toISOString() },
      records: ago.map((minutes) => ({
        ...{ type: 'passenger', seq: ++seq, time: new Date(nowMs - minutes * MINUTE_MS) },
        ...{ door: 1, direction: 'entered', passenger: 'adult' },
      })),
    }),
  });
  expect(answer.status).toBe(200);
}

async function openUnit(): Promise<void> {
  context = await openVisit(browser, product.url, { as: 'admin' });
  page = await context.newPage();
  await page.goto(`/admin/units/${unit.id}`);
}

/** People who entered a bus, on all days. */
async function peopleOf(at: number): Promise<number> {
  const { rows } = await queryOf<{ people: number }>(
    product,
    'select coalesce(sum(entered_adults), 0)::int as people from hourly_traffic where workplace_id = $1',
    [buses[at]?.id],
  );
  return rows[0]?.people ?? 0;
}

it('is moved in its drawer from a moment on, and each bus has its own people', async () => {
  await openUnit();
  const drawer = page.getByRole('complementary');
  await drawer.getByRole('button', { name: 'Изменить' }).click();
  await drawer.getByLabel('Автобус').fill('Б 2');
  await page.getByRole('option', { name: /Б 202/ }).click();
  // Between its first record and the others.
  const [day, time] = formatMoment(
    Date.now() - 60 * MINUTE_MS,
    FALLBACK_ZONE,
    'DD.MM.YYYY HH:mm',
  ).split(' ') as [string, string];
  await drawer.getByRole('button', { name: /^Переставлен с:/ }).click();
  await page.getByLabel('Дата цифрами').fill(day);
  await page.keyboard.press('Enter');
  await drawer.getByLabel('Время, московское').fill(time);
  expect(await findAxeFaults(page)).toEqual([]);
  await drawer.getByRole('button', { name: 'Сохранить' }).click();
  await drawer.getByText('Стоит здесь с').waitFor();
  expect([await peopleOf(0), await peopleOf(1)]).toEqual([1, 2]);
});
