// The statistics against the pages of the buses that they sum up.
import { readFile } from 'node:fs/promises';
import { addDays, dayOf, dayRange } from '@ridewatch/contract/day';
import type { DayFragments } from '@ridewatch/contract/fragments';
import { spanOf } from '@ridewatch/contract/stat-ticks';
import { readXlsx } from '@ridewatch/server/src/test/read-xlsx.ts';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { findAxeFaults } from '../harness/axe.ts';
import { openBrowser, type Visit } from '../harness/browser.ts';
import { recalculateDay } from '../harness/drive.ts';
import { type RunningFleet, startFleet } from '../harness/fleet.ts';
import { startProductOfFleet } from '../harness/prepared-fleet.ts';
import { ask, type Product, sendRecords, setUpFleet, signIn, waitFor } from '../harness/product.ts';
import { tabTo } from '../harness/tab-to.ts';
import { openVisit } from '../harness/visits.ts';
import { ZONE } from '../harness/zone.ts';

const today = dayOf(Date.now(), ZONE);
const yesterday = addDays(today, -1);
const quarter = spanOf('quarter', yesterday);
/** The fleet sends a week; more days have nobody. */
const FLEET_DAYS = 9;
const SUM_LIMIT_MS = 90_000;

let product: Product;
let fleet: RunningFleet;
let browser: Browser;
let context: BrowserContext;
let page: Page;
let token: string;
let busIds: number[];

beforeAll(async () => {
  product = await startProductOfFleet();
  fleet = await startFleet(product);
  browser = await openBrowser();
  token = await signIn(product.url, 'owner1');
  const list = await read<{ items: { id: number }[] }>('/api/bus_list');
  busIds = list.items.map(({ id }) => id);
});
afterAll(async () => {
  await browser?.close();
  await fleet?.stop();
  await product?.remove();
});
afterEach(() => context?.close());

const read = <T>(address: string) => ask<T>(product.url, token, 'GET', address);

async function openPage(address: string, options: Visit = {}, login = 'owner1'): Promise<void> {
  context = await openVisit(browser, product.url, { ...options, as: login });
  page = await context.newPage();
  await page.goto(address);
}

const numberIn = (text: string | null): number =>
  Number(/^[\d\s\u00a0\u202f]+/.exec(text ?? '')?.[0].replace(/\D/g, '') ?? Number.NaN);
const shownTotal = async (): Promise<number> =>
  numberIn(await page.locator('[data-total="entered"]').textContent());

/** The people who entered on a day, as the pages of all buses show them. */
async function enteredOn(date: string): Promise<number> {
  const days = await Promise.all(
    busIds.map((id) =>
      read<DayFragments>(`/api/segments/day-segments?workplaceId=${id}&date=${date}`),
    ),
  );
  return days.reduce((sum, day) => sum + day.totalEnteredManual, 0);
}

async function enteredInQuarter(): Promise<number> {
  let sum = 0;
  for (let back = 0; back <= FLEET_DAYS; back++) {
    const day = addDays(today, -back);
    if (quarter.dateFrom <= day && day <= quarter.dateTo) sum += await enteredOn(day);
  }
  return sum;
}

describe('a quarter by route', () => {
  it('has the people of all its days, as the pages of the buses show them', async () => {
    await openPage('/stats');
    await page.getByText('Задайте параметры фильтра и постройте отчёт.').waitFor();
    await page.getByRole('button', { name: 'Квартал', exact: true }).click();
    await page.getByRole('button', { name: 'По маршрутам' }).click();
    await page.getByRole('button', { name: 'До этого часа' }).click();
    await page.getByRole('button', { name: 'Построить отчёт' }).click();
    await page.getByRole('heading', { name: 'Вошло по маршрутам' }).waitFor();
    // On the first day of a quarter the fleet's days are in the last one.
    if (quarter.dateTo < today)
      await page.getByRole('button', { name: 'Предыдущий период' }).click();
    // Buses send all the time: compare when nobody has entered meanwhile.
    await waitFor(
      async () => {
        const before = await enteredInQuarter();
        await page.reload();
        const shown = await shownTotal();
        const isQuiet = before === (await enteredInQuarter());
        if (isQuiet) expect(shown).toBe(before);
        return isQuiet && shown > 0;
      },
      'the same total on the page and as the sum of the days',
      SUM_LIMIT_MS,
    );
    expect(await findAxeFaults(page)).toEqual([]);
  });
});

describe('a figure of the statistics', () => {
  it('leads over its route to the day of a bus, and Back leads to the report', async () => {
    await openPage(`/stats?period=date&from=${yesterday}&by=route&buses=all`);
    const table = page.getByRole('region', { name: 'Таблица' });
    await table.getByRole('row').nth(2).getByRole('button').first().click();
    await page.getByRole('heading', { name: 'Вошло по автобусам' }).waitFor();
    const address = page.url();
    await table.getByRole('row').nth(2).getByRole('button').first().click();
    await page.waitForURL((at) => at.pathname.startsWith('/bus/'));
    expect(page.url()).toContain(`date=${yesterday}`);
    await page.goBack();
    await page.getByRole('heading', { name: 'Вошло по автобусам' }).waitFor();
    expect(page.url()).toBe(address);
  });

  it('is the same in the export', async () => {
    await openPage(`/stats?period=date&from=${yesterday}&by=bus&buses=all`);
    const shown = await shownTotal();
    expect(shown).toBe(await enteredOn(yesterday));
    await page.getByRole('button', { name: 'Экспорт' }).click();
    await page.getByRole('button', { name: 'Отчёт: пассажиропоток' }).click();
    const button = page.getByRole('dialog').getByRole('button', { name: 'Скачать' });
    const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
    const [sheet] = await readXlsx(await readFile(await download.path()));
    const [headings = [], ...rows] = sheet?.rows ?? [];
    const at = headings.indexOf('Вошло');
    expect(rows.reduce((sum, row) => sum + Number(row[at] ?? 0), 0)).toBe(shown);
  });

  it('is in the saved picture, which names the lines', async () => {
    await openPage(`/stats?period=week&from=${yesterday}&by=route&buses=all`);
    await page.evaluate(() => {
      const create = URL.createObjectURL.bind(URL);
      URL.createObjectURL = (file: Blob) => {
        if (file.type === 'image/svg+xml') {
          void file.text().then((text) => document.body.setAttribute('data-drawing', text));
        }
        return create(file);
      };
    });
    await page.getByRole('button', { name: 'Экспорт' }).click();
    const button = page.getByRole('button', { name: /PNG/ });
    const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
    expect(download.suggestedFilename()).toMatch(/^Вошло по маршрутам .*\.png$/);
    const bytes = await readFile(await download.path());
    expect(bytes.subarray(1, 4).toString('latin1')).toBe('PNG');
    // Of the width and height of the header, twice those of the page, with rows for the names below the chart.
    expect(bytes.readUInt32BE(20)).toBeGreaterThan(2 * 330);
    // Letters as large as on the page: larger ones do not fit beside the lines.
    const drawing = (await page.locator('body').getAttribute('data-drawing')) ?? '';
    const sizes = drawing.matchAll(/<text[^>]*font-size: ([\d.]+)px/g);
    expect(new Set([...sizes].map(([, size]) => size))).toEqual(new Set(['11.375']));
    expect(drawing).not.toMatch(/<text(?![^>]*font-size)/);
  });
});

describe('the statistics of one bus and day', () => {
  it('equal what the page of that day shows, and still do when a shift cuts it', async () => {
    const [id] = busIds;
    const ofDay = `/api/segments/day-segments?workplaceId=${id}&date=${yesterday}`;
    // The bus has a price table: its revenue comes with its laps.
    await waitFor(
      async () => Number((await read<DayFragments>(ofDay)).calculation?.total) > 0,
      'the revenue of the day',
      SUM_LIMIT_MS,
    );
    const whole = await read<DayFragments>(ofDay);
    await openPage(`/stats?period=date&from=${yesterday}&by=bus&buses=${id}`);
    await expectFiguresOf(whole);
    const table = page.getByRole('region', { name: 'Таблица' });
    await table.getByRole('row').nth(2).getByRole('button').first().click();
    await page.waitForURL((at) => at.pathname === `/bus/${id}`);
    await expectTotal('entered', whole.totalEnteredManual);
    await expectTotal('exited', whole.totalExitedManual);
    await page.getByRole('button', { name: /К сдаче/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Расчёт за день' });
    await dialog.getByLabel('Смена, начало').fill('09:30');
    await dialog.getByLabel('Смена, конец').fill('14:00');
    await dialog.getByText(/Вне смены, не в расчёте/).waitFor();
    await waitFor(async () => {
      const { calculation } = await read<DayFragments>(ofDay);
      return calculation?.shift_start != null && calculation.shift_end !== null;
    }, 'both ends of the shift to be saved');
    const cut = await read<DayFragments>(ofDay);
    expect(cut.totalEnteredManual).toBeLessThan(whole.totalEnteredManual);
    expect(cut.totalEnteredManual).toBeGreaterThan(0);
    await page.keyboard.press('Escape');
    await expectTotal('entered', cut.totalEnteredManual);
    // The calculator was an entry of the history, too.
    while (page.url().includes('/bus/')) await page.goBack();
    await expectFiguresOf(cut);
  });
});

/** Waits until the page shows a total. */
async function expectTotal(key: string, value: number): Promise<void> {
  const total = page.locator(`[data-total="${key}"]`);
  await expect.poll(async () => numberIn(await total.textContent()), { message: key }).toBe(value);
}

/** Waits until the statistics show the people and the revenue of a day. */
async function expectFiguresOf(day: DayFragments): Promise<void> {
  await page.getByRole('heading', { name: /^Вошло/ }).waitFor();
  await expectTotal('entered', day.totalEnteredManual);
  await expectTotal('exited', day.totalExitedManual);
  const revenue = (await page.locator('[data-total="fare"]').textContent()) ?? '';
  expect(revenue.replace(/[^\d,]/g, '')).toBe(day.calculation?.total.replace('.', ','));
}

describe('hours in which a unit sent nothing', () => {
  it('are hatched in the chart and the table, which say how many they are and whose', async () => {
    const bus = { name: 'Т 555 ТТ', type: 'COUNTER', timezone: ZONE, gps_trackable: true } as const;
    const [unit] = await setUpFleet(product.url, {
      customers: [
        {
          name: 'Анна',
          groups: [],
          buses: [{ ...bus, group: null, device_id: 'SILENT-1', cameras: [] }],
        },
      ],
    });
    if (!unit) throw new Error('no unit');
    const { startMs } = dayRange(yesterday, ZONE);
    // Five whole hours lie between them.
    const records = [9.5, 15.5].map((hour) => ({
      type: 'passenger',
      time: new Date(startMs + hour * 3_600_000).toISOString(),
      ...{ door: 1, direction: 'entered', passenger: 'adult', count: 4 },
    }));
    await sendRecords(product.url, unit.credential, records);
    await recalculateDay(product.url, await signIn(product.url, 'admin'), unit.bus_id, yesterday);
    await openPage(`/stats?period=week&from=${yesterday}&by=bus&buses=all`, {}, 'owner2');
    await page.locator('[data-silent="5"]').waitFor();
    await page.getByText('Т 555 ТТ: приборы молчали 5 ч').waitFor();
    const legend = page.getByRole('region', { name: 'Обозначения' });
    await legend.getByRole('img', { name: 'приборы молчали 5 ч' }).waitFor();
    const row = page.getByRole('row', { name: /Т 555 ТТ/ });
    expect(await row.getByTitle('приборы молчали 5 ч').textContent()).toBe('8');
    expect(await findAxeFaults(page)).toEqual([]);
  });
});

describe('without a mouse', () => {
  it('a user makes a report, opens a tick, then the day of a bus, and saves the table', async () => {
    await openPage('/stats', { dark: true });
    await page.getByText('Задайте параметры фильтра и постройте отчёт.').waitFor();
    await tabTo(page, 'Построить отчёт');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Вошло по маршрутам' }).waitFor();
    expect(await findAxeFaults(page)).toEqual([]);

    await page.goto(`/stats?period=date&from=${yesterday}&by=route&buses=all`);
    await page.getByRole('slider', { name: 'График' }).waitFor();
    await tabTo(page, 'График', 'slider');
    await page.keyboard.press('ArrowRight');
    await page.getByRole('status').getByText('Показанные').waitFor();
    expect(await findAxeFaults(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Вошло по автобусам' }).waitFor();

    const shown = await shownTotal();
    await tabTo(page, 'Экспорт');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Экспорт' }).waitFor();
    expect(await findAxeFaults(page)).toEqual([]);
    await tabTo(page, 'Сохранить таблицу (CSV)');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.keyboard.press('Enter'),
    ]);
    const [, ...rows] = (await readFile(await download.path(), 'utf8')).trim().split('\r\n');
    expect(rows.reduce((sum, row) => sum + Number(row.split(';')[1]), 0)).toBe(shown);

    const figure = page.getByRole('region', { name: 'Таблица' }).getByRole('row').nth(2);
    await tabTo(page, (await figure.getByRole('button').first().textContent()) ?? '');
    await page.keyboard.press('Enter');
    await page.waitForURL((at) => at.pathname.startsWith('/bus/'));
    expect(page.url()).toContain(`date=${yesterday}`);
  });
});

describe('the statistics on a phone', () => {
  it('have filters in a dialog and fit the width of the screen', async () => {
    const week = `/stats?period=week&from=${yesterday}&by=route&buses=all`;
    await openPage(week, { phone: true, dark: true });
    await page.getByRole('region', { name: 'Таблица' }).waitFor();
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - window.innerWidth,
    );
    expect(overflow).toBeLessThanOrEqual(0);
    expect(await findAxeFaults(page)).toEqual([]);
    await page.getByRole('button', { name: /^Фильтры/ }).click();
    await page.getByRole('dialog', { name: 'Фильтры' }).waitFor();
    expect(await findAxeFaults(page)).toEqual([]);
  });

  it('have whole figures of money, and a table of days that leads to the buses of a day', async () => {
    await openPage(`/stats?period=date&from=${yesterday}&by=route&buses=all&key=fare`, {
      phone: true,
    });
    const table = page.getByRole('region', { name: 'Таблица' });
    await table.waitFor();
    const countCut = () =>
      table
        .locator('td')
        .evaluateAll((cells) => cells.filter((one) => one.scrollWidth > one.clientWidth).length);
    expect(await countCut()).toBe(0);
    await page.getByRole('button', { name: 'По дням' }).click();
    await page.waitForURL(/view=ticks/);
    expect(await countCut()).toBe(0);
    expect(await findAxeFaults(page)).toEqual([]);
    await table.getByRole('rowheader').getByRole('button').click();
    await page.waitForURL(/by=bus/);
  });
});
