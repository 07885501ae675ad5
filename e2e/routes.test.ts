import type { RouteCost } from '@ridewatch/contract/costs';
import { addDays, dayOf, dayRange } from '@ridewatch/contract/day';
import type { Lap, LapSummary } from '@ridewatch/contract/laps';
import type { RouteStop } from '@ridewatch/contract/routes';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { findAxeFaultsInThemes } from '../harness/axe.ts';
import { openBrowser } from '../harness/browser.ts';
import { drive, LAP_ROUBLES, lengthMs, planOf, recalculateDay } from '../harness/drive.ts';
import { gtfsZip } from '../harness/gtfs.ts';
import {
  ask,
  type Product,
  sendRecords,
  setUpFleet,
  signIn,
  startProduct,
  waitFor,
} from '../harness/product.ts';
import { casesOf } from '../harness/tries.ts';
import { openVisit } from '../harness/visits.ts';

const LAPS = 3;
const HOUR_MS = 3_600_000;
/** A zone where it is not just after midnight; the second one applies at night in Moscow. */
const ZONE =
  new Date(Date.now() + 3 * HOUR_MS).getUTCHours() >= 4 ? 'Europe/Moscow' : 'America/New_York';
const today = dayOf(Date.now(), ZONE);
const lastMonth = addDays(today, -35);

let product: Product;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let token: string;
/** The bus with revenue by prices, and the one on a route of which only the ends are known. */
let pricedId: number;
let bareId: number;

beforeAll(async () => {
  product = await startProduct();
  token = await signIn(product.url, 'admin');
  const units = await setUpFleet(product.url, planOf(ZONE));
  const [priced, bare] = units;
  if (!priced || !bare) throw new Error('no units');
  pricedId = priced.bus_id;
  bareId = bare.bus_id;
  const todayMs = Date.now() - lengthMs(LAPS) - 5 * 60_000;
  const lastMonthMs = dayRange(lastMonth, ZONE).startMs + 10 * HOUR_MS;
  await sendRecords(product.url, priced.credential, drive(lastMonthMs, LAPS));
  await sendRecords(product.url, priced.credential, drive(todayMs, LAPS));
  await sendRecords(product.url, bare.credential, drive(todayMs, LAPS));
  // Past days wait for their backlog; a recalculation skips the wait.
  for (const [busId, day] of [
    [pricedId, lastMonth],
    [pricedId, today],
    [bareId, today],
  ] as const) {
    await recalculateDay(product.url, token, busId, day);
    expect((await lapsOf(busId, day)).length).toBeGreaterThanOrEqual(LAPS - 1);
  }
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await product?.remove();
});
afterEach(() => context?.close());

async function newPage(
  login: string,
  options: { phone?: boolean; dark?: boolean } = {},
): Promise<void> {
  context = await openVisit(browser, product.url, { ...options, as: login });
  page = await context.newPage();
}

const call = <T>(method: string, address: string, body?: unknown): Promise<T> =>
  ask<T>(product.url, token, method, address, body);

async function lapsOf(busId: number, day: string): Promise<LapSummary[]> {
  const address = `/api/bus-stop/day-laps?workplaceId=${busId}&date=${day}`;
  return (await call<{ items: LapSummary[] }>('GET', address)).items;
}

async function stopsOfLap(busId: number, number: number): Promise<Lap['busStopDtoList']> {
  const lap = (await lapsOf(busId, today)).find((one) => one.number === number);
  const address = `/api/bus-stop/laps?workplaceId=${busId}&date=${today}&lapId=${lap?.lap_id}`;
  const { items } = await call<{ items: Lap[] }>('GET', address);
  return items[0]?.busStopDtoList ?? [];
}

async function groupOf(busId: number): Promise<number> {
  const info = await call<{ group: { id: number } }>('GET', `/api/bus/info/${busId}`);
  return info.group.id;
}

const revenuesOf = async (busId: number, day: string): Promise<(string | null)[]> =>
  (await lapsOf(busId, day)).slice(0, LAPS - 1).map(({ revenue }) => revenue);

const routeAddress = (busId: number, more = ''): string =>
  `/bus/${busId}/route?date=${today}${more}`;

/** Types a price into a cell of the table and waits until it is stored. */
async function typePrice(row: number, column: number, typed: string): Promise<void> {
  const cell = page.locator(`[data-cell="${row}:${column}"]`);
  await cell.click();
  await page.keyboard.type(typed);
  await page.keyboard.press('Enter');
  await page.locator(`td[data-state=saved]:has([data-cell="${row}:${column}"])`).waitFor();
}

describe('a person who may edit', () => {
  it('makes a route out of a lap, and the next lap is matched to it', async () => {
    const before = await stopsOfLap(bareId, 2);
    expect(before.filter(({ id }) => id !== null)).toHaveLength(4);
    await newPage('operator');
    await page.goto(routeAddress(bareId, '&part=actions&act=lap'));
    await page.getByRole('combobox', { name: /^Круг, / }).click();
    await page.getByRole('option', { name: /^Круг 1 / }).click();
    const make = page.getByRole('button', { name: 'Создать из круга' });
    // The preview names the changes before they are saved.
    await page.getByText('останется 4, добавится 6, исчезнет 0.').waitFor();
    await make.click();
    await page.getByText('Маршрут взят из круга').waitFor();
    await page.getByText('10 остановок').waitFor();
    const countArrivals = async () =>
      (await stopsOfLap(bareId, 2)).filter(({ arrival }) => arrival).length;
    await expect.poll(countArrivals).toBe(10);
    const [second] = (await lapsOf(bareId, today)).slice(1, 2);
    expect(second?.incomplete).toBeNull();
    const made = (await stopsOfLap(bareId, 2)).map(({ name }) => name);
    await page.goto(`/bus/${bareId}/gps?date=${today}&lap=2`);
    await page
      .getByText(made[2] ?? '', { exact: true })
      .first()
      .waitFor();
  });

  it("changes a price, and today's laps are worth more, last month's are not", async () => {
    expect(await revenuesOf(pricedId, today)).toEqual([LAP_ROUBLES, LAP_ROUBLES]);
    expect(await revenuesOf(pricedId, lastMonth)).toEqual([LAP_ROUBLES, LAP_ROUBLES]);
    await newPage('operator');
    await page.goto(routeAddress(pricedId, '&part=price'));
    await typePrice(0, 2, '50,5');
    // Four people ride from the first stop to the third.
    await expect.poll(() => revenuesOf(pricedId, today)).toEqual(['962.00', '962.00']);
    expect(await revenuesOf(pricedId, lastMonth)).toEqual([LAP_ROUBLES, LAP_ROUBLES]);
    await page.goto(`/bus/${pricedId}/gps?date=${today}&lap=1`);
    await page.getByText('962,00').first().waitFor();
  });

  it('changes a price from last month on: its days stay until they are recalculated', async () => {
    await newPage('operator');
    await page.goto(routeAddress(pricedId, `&part=price&from=${lastMonth}`));
    await page.getByText('прошедший день').waitFor();
    await typePrice(0, 4, '70');
    // Six people ride from the first stop to the far terminal.
    await expect.poll(() => revenuesOf(pricedId, today)).toEqual(['1022.00', '1022.00']);
    expect(await revenuesOf(pricedId, lastMonth)).toEqual([LAP_ROUBLES, LAP_ROUBLES]);
    await page.goto(routeAddress(pricedId, `&part=actions&act=recalculate&from=${lastMonth}`));
    await page.getByRole('button', { name: 'Показать изменения' }).click();
    const nameOfDay = lastMonth.split('-').reverse().join('.');
    const row = page.getByRole('row', { name: nameOfDay });
    expect((await row.textContent())?.replace(/\s/g, ' ')).toMatch(/→ .*\+[\d ]+,\d\d ₽$/);
    expect(await revenuesOf(pricedId, lastMonth)).toEqual([LAP_ROUBLES, LAP_ROUBLES]);
    await page.getByRole('button', { name: /^Пересчитать \d/ }).click();
    const progress = page.getByRole('region', { name: 'Последний пересчёт' });
    // The last recalculation of the set-up was about another day.
    await progress.getByText(`${nameOfDay} –`).waitFor();
    await progress.getByText(/^Пересчитан. \d/).waitFor();
    await progress.getByRole('row', { name: nameOfDay }).waitFor();
    expect(await revenuesOf(pricedId, lastMonth)).toEqual(['980.00', '980.00']);
  });

  it('moves, renames and adds stops; what was typed stays when the server refuses it', async () => {
    await newPage('operator');
    await page.goto(routeAddress(pricedId));
    const handle = page.getByRole('button', { name: /^Переместить «Остановка 2»/ }).first();
    await handle.focus();
    await page.keyboard.press('ArrowDown');
    const movedBack = page.waitForResponse(
      (response) => response.request().postDataJSON()?.orderKey === 1,
    );
    await page.keyboard.press('ArrowUp');
    await movedBack;
    await page
      .getByRole('button', { name: /^2\s*Остановка 2$/ })
      .first()
      .click();
    await page.getByLabel('Название').fill('Пристань');
    await page.route('**/api/groups/stop/*', (route) =>
      route.fulfill({
        status: 503,
        json: { error: 'unavailable', message: 'no', requestId: 'x' },
      }),
    );
    await page.keyboard.press('Enter');
    await page.getByText('Сервер временно недоступен').first().waitFor();
    expect(await page.getByLabel('Название').inputValue()).toBe('Пристань');
    await page.unroute('**/api/groups/stop/*');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: /^2\s*Пристань$/ }).waitFor();
    await page.getByRole('button', { name: 'Добавить остановку' }).click();
    await page.getByLabel('Название').fill('Мост');
    await page.getByLabel('Широта, долгота').fill('55.7081, 37.6');
    await page.getByRole('button', { name: 'Добавить', exact: true }).click();
    await page.getByText('11 остановок').waitFor();
    const groupId = await groupOf(pricedId);
    const stops = async () =>
      (await call<{ items: RouteStop[] }>('GET', `/api/groups/${groupId}/stops`)).items;
    const bridge = (await stops()).find(({ name }) => name === 'Мост');
    const renamed = { name: 'Переправа', valid_from: today };
    await call('POST', `/api/groups/stop/${bridge?.id}`, renamed);
    await page.getByLabel('Название').fill('Брод');
    await page.keyboard.press('Enter');
    await page
      .getByText('Другой пользователь уже записал «Переправа»; ваше «Брод» не записано.')
      .waitFor();
    await page.getByRole('button', { name: 'Записать моё' }).click();
    await page.getByRole('button', { name: /^3\s*Брод$/ }).waitFor();
    await page.route('**/api/groups/stop/*', (route) => route.abort());
    await page.getByRole('button', { name: /^Переместить «Брод»/ }).press('ArrowDown');
    await page.getByText('Не сохранено: Нет связи с сервером').waitFor();
    await page.unroute('**/api/groups/stop/*');
    await page.getByRole('button', { name: 'Повторить' }).click();
    await waitFor(
      async () => (await stops()).find(({ name }) => name === 'Брод')?.orderKey === 3,
      'the move that was sent again',
    );
    const forward = (await stops()).filter(({ routeDirection }) => routeDirection === 'FORWARD');
    expect(forward.map(({ name }) => name).slice(0, 4)).toEqual([
      'Остановка 1',
      'Пристань',
      'Остановка 3',
      'Брод',
    ]);
  });

  it('imports a route of a GTFS feed, once it is said which one', async () => {
    await newPage('operator');
    await page.goto(routeAddress(pricedId, '&part=actions&act=file'));
    await page.getByRole('button', { name: 'Создать новый' }).click();
    const feed = { name: 'город.zip', mimeType: 'application/zip', buffer: gtfsZip() };
    await page.getByLabel('Файл маршрута').setInputFiles(feed);
    const choices = page.getByRole('group', { name: 'Маршрут и направление из файла' });
    await choices.getByLabel(/^5: Вокзал ⇄ Завод/).check();
    await page.getByRole('status').getByText('7 остановок', { exact: true }).waitFor();
    await page.getByLabel('Название маршрута').fill('Речной');
    await page.getByRole('button', { name: 'Создать маршрут' }).click();
    await page.getByText('Такой маршрут уже есть').waitFor();
    await page.getByLabel('Название маршрута').fill('Пятый');
    await page.getByRole('button', { name: 'Создать маршрут' }).click();
    await page.getByRole('heading', { name: /Пятый/ }).waitFor();
    await page.getByText('не маршрут этого автобуса').waitFor();
    const stopRows = page.locator('[data-direction] [data-stop]');
    await stopRows.nth(6).waitFor();
    const rows = await stopRows.allTextContents();
    expect(rows.map((row) => /Вокзал|Рынок|Парк|Завод/.exec(row)?.[0])).toEqual([
      'Вокзал',
      'Рынок',
      'Парк',
      'Завод',
      'Завод',
      'Парк',
      'Вокзал',
    ]);
  });

  it('is told why a file is no route, in words', async () => {
    await newPage('operator');
    await page.goto(routeAddress(pricedId, '&part=actions&act=file'));
    const file = {
      name: 'пусто.gpx',
      mimeType: 'application/gpx+xml',
      buffer: Buffer.from('<gpx/>'),
    };
    await page.getByLabel('Файл маршрута').setInputFiles(file);
    await page.getByRole('main').getByText('В файле нет ни линии, ни точек.').waitFor();
  });
});

describe('a person who may only look', () => {
  it('sees the route and is offered nothing to change it with', async () => {
    await newPage('owner2');
    await page.goto(routeAddress(pricedId));
    await page
      .getByRole('button', { name: /Остановка 1/ })
      .first()
      .click();
    expect(await page.getByRole('button', { name: 'Добавить остановку' }).count()).toBe(0);
    expect(await page.getByRole('button', { name: /^Переместить/ }).count()).toBe(0);
    expect(await page.getByLabel('Название').count()).toBe(0);
    expect(await page.getByRole('link', { name: 'Действия' }).count()).toBe(0);
    await page.getByRole('link', { name: 'Цены' }).click();
    const cell = page.locator('[data-cell="0:2"]');
    const before = await cell.textContent();
    await cell.click();
    await page.locator('input[data-cell="0:2"][readonly]').waitFor();
    await page.keyboard.type('1');
    await page.keyboard.press('Enter');
    expect(await cell.textContent()).toBe(before);
    await page.getByRole('link', { name: 'Маршруты' }).click();
    await page.getByText('Голый').waitFor();
    expect(await page.getByRole('button', { name: 'Поставить автобус' }).count()).toBe(0);
  });

  it('can do none of it by requests made by hand', async () => {
    const mine = await signIn(product.url, 'owner2');
    const groupId = await groupOf(pricedId);
    const { items } = await call<{ items: RouteStop[] }>('GET', `/api/groups/${groupId}/stops`);
    const known = await call<{ items: RouteCost[] }>('GET', `/api/route-cost/group/${groupId}`);
    const [a, b] = items;
    const [cost] = known.items;
    const [lap] = await lapsOf(pricedId, today);
    if (!a || !b || !lap || !cost) throw new Error('no stops, laps or prices');
    const { from_stop_id, to_stop_id } = cost;
    const price = { from_stop_id, to_stop_id, cost: '1.00' };
    const place = { latitude: 55.7, longitude: 37.6, orderKey: 0, routeDirection: 'FORWARD' };
    const ofLap = { lapId: lap.lap_id, workplaceId: pricedId };
    const bus = { workplaceId: pricedId };
    const formOf = (fields: Readonly<Record<string, number>>): FormData => {
      const form = new FormData();
      for (const [key, value] of Object.entries(fields)) form.append(key, String(value));
      form.append('file', new Blob([new Uint8Array(gtfsZip())]), 'город.zip');
      return form;
    };
    const isJson = (body: unknown): body is object =>
      body !== undefined && !(body instanceof FormData);
    const requests: [string, string, object | FormData | undefined][] = [
      ['PUT', `/api/groups/${groupId}`, { name: 'Моё' }],
      ['POST', `/api/groups/${groupId}/stop`, { name: 'Моя', ...place }],
      ['POST', `/api/groups/stop/${a.id}`, { name: 'Моя' }],
      ['DELETE', `/api/groups/stop/${a.id}`, undefined],
      [
        'POST',
        '/api/groups/stops/terminal-stops',
        { firstRouteStopId: b.id, lastRouteStopId: null },
      ],
      ['POST', '/api/groups/stops/from-lap', { groupId, ...ofLap }],
      ['POST', `/api/groups/${groupId}/track/from-lap`, ofLap],
      ['POST', '/api/bus-stop/generate', { ...bus, date: today, save: true }],
      ['POST', '/api/route-cost', { group_id: groupId, ...price }],
      ['PUT', '/api/route-cost', { group_id: groupId, items: [price] }],
      ['POST', `/api/route-cost/${cost.id}`, { group_id: groupId, ...price }],
      ['POST', '/api/bus-stop/set-terminal-bus-stop', { ...bus, busStopId: b.id }],
      [
        'POST',
        `/api/bus-stop/update/${pricedId}`,
        { dateFrom: lastMonth, dateTo: today, preview: false },
      ],
      ['PUT', '/api/groups/workplace', { ...bus, groupId }],
      ['DELETE', `/api/groups/workplace?workplaceId=${pricedId}`, undefined],
      ['PUT', '/api/set-group', { ...bus, groupId }],
      ['PUT', '/api/groups/from-file', formOf({ groupId })],
      ['POST', '/api/groups/from-file', formOf({ clientId: 21 })],
    ];
    const before = await revenuesOf(pricedId, today);
    for (const [method, address, body] of requests) {
      const answer = await fetch(product.url + address, {
        method,
        headers: {
          authorization: `Bearer ${mine}`,
          ...(isJson(body) ? { 'content-type': 'application/json' } : {}),
        },
        ...(body === undefined ? {} : { body: isJson(body) ? JSON.stringify(body) : body }),
      });
      const { error } = (await answer.json()) as { error: string };
      expect([method, address, answer.status, error]).toEqual([method, address, 403, 'no_right']);
    }
    const after = await call<{ items: RouteStop[] }>('GET', `/api/groups/${groupId}/stops`);
    expect(after.items).toEqual(items);
    expect(await revenuesOf(pricedId, today)).toEqual(before);
  });
});

describe('every part of the route', () => {
  const devices: [name: string, phone: boolean][] = [
    ['a desktop', false],
    ['a phone', true],
  ];
  it.each(casesOf(devices, 1))('is accessible on %s', async (_name, phone) => {
    await newPage('admin', { phone });
    for (const part of ['', '&part=price', '&part=routes', '&part=actions&act=lap']) {
      await page.goto(routeAddress(pricedId, part));
      await page.locator('main [aria-busy=true]').first().waitFor({ state: 'detached' });
      await page.getByRole('navigation', { name: 'Разделы маршрута' }).waitFor();
      expect([part, await findAxeFaultsInThemes(page)]).toEqual([part, []]);
      const wider = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      expect([part, wider]).toEqual([part, 0]);
    }
  });
});
