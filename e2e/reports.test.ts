// Reports from the screens to the file: of a bus's day, of routes, by a job; and what a foreign user gets.
import { readFile } from 'node:fs/promises';
import { addDays, dayOf } from '@ridewatch/contract/day';
import type { DayFragments } from '@ridewatch/contract/fragments';
import type { Report } from '@ridewatch/contract/reports';
import { type ReadCell, readXlsx } from '@ridewatch/server/src/test/read-xlsx.ts';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { findAxeFaults, findAxeFaultsInThemes } from '../harness/axe.ts';
import { openBrowser, type Visit } from '../harness/browser.ts';
import { type RunningFleet, startFleet } from '../harness/fleet.ts';
import { startProductOfFleet, waitForLaps } from '../harness/prepared-fleet.ts';
import { ask, type Product, signIn } from '../harness/product.ts';
import { openVisit } from '../harness/visits.ts';
import { ZONE } from '../harness/zone.ts';

const date = addDays(dayOf(Date.now(), ZONE), -1);

let product: Product;
let fleet: RunningFleet;
let browser: Browser;
let context: BrowserContext;
let page: Page;
/** A bus of the first customer. */
let busId: number;
let tokens: Record<'owner1' | 'owner2', string>;

beforeAll(async () => {
  product = await startProductOfFleet();
  fleet = await startFleet(product);
  browser = await openBrowser();
  tokens = {
    owner1: await signIn(product.url, 'owner1'),
    owner2: await signIn(product.url, 'owner2'),
  };
  busId = fleet.busIds.get('SIM-000001') ?? 0;
  await waitForLaps(product, [busId], [date]);
});
afterAll(async () => {
  await browser?.close();
  await fleet?.stop();
  await product?.remove();
});
afterEach(() => context?.close());

const ofDay = () => `workplaceId=${busId}&date=${date}`;
const read = <T>(address: string) => ask<T>(product.url, tokens.owner1, 'GET', address);

async function openPage(address: string, login = 'owner1', options: Visit = {}): Promise<void> {
  context = await openVisit(browser, product.url, { ...options, as: login });
  page = await context.newPage();
  await page.goto(address);
}

/** Presses a button that saves a spreadsheet. @returns its rows below the headings, by heading */
async function savedRows(button: Locator): Promise<Record<string, ReadCell>[]> {
  const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
  return rowsOf(await readFile(await download.path()));
}

async function rowsOf(bytes: Uint8Array): Promise<Record<string, ReadCell>[]> {
  const [sheet] = await readXlsx(bytes);
  const [headings = [], ...rows] = sheet?.rows ?? [];
  return rows.map((row) =>
    Object.fromEntries(headings.map((heading, at) => [String(heading), row[at] ?? null])),
  );
}

const sumOf = (rows: readonly Record<string, ReadCell>[], heading: string): number =>
  rows.reduce((sum, row) => sum + Number(row[heading] ?? 0), 0);
const figureOf = async (name: string): Promise<number> => {
  const row = page.getByRole('article').getByRole('row', { name: new RegExp(`^${name}`) });
  return Number(((await row.getByRole('cell').last().textContent()) ?? '').replace(/\s/g, ''));
};

describe("the report of a bus's day", () => {
  it('has the people of the laps that the day sheet shows', async () => {
    await openPage(`/bus/${busId}?date=${date}`);
    await page.getByRole('button', { name: 'Отчёт', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Отчёт по автобусам' });
    const rows = await savedRows(dialog.getByRole('button', { name: 'Скачать' }));
    expect(rows.length).toBeGreaterThan(10);
    expect(await findAxeFaults(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Открыть лист' }).click();
    await page.getByRole('article').waitFor();
    const [entered, exited] = await Promise.all([figureOf('Вошло'), figureOf('Вышло')]);
    expect([entered, exited]).not.toContain(0);
    expect([sumOf(rows, 'Вошло'), sumOf(rows, 'Вышло')]).toEqual([entered, exited]);
    const day = await read<DayFragments>(`/api/segments/day-segments?${ofDay()}`);
    expect([day.totalEnteredManual, day.totalExitedManual]).toEqual([entered, exited]);
  });

  it('is printed as one page of A4, in the dark theme, too', async () => {
    await openPage(`/bus/${busId}?date=${date}`, 'owner1', { dark: true });
    await page.getByRole('button', { name: 'Отчёт', exact: true }).click();
    await page.getByRole('button', { name: 'Открыть лист' }).click();
    const paper = page.getByRole('article');
    await paper.waitFor();
    expect(await findAxeFaults(page)).toEqual([]);
    expect(await paper.evaluate((sheet) => getComputedStyle(sheet).backgroundColor)).toBe(
      'rgb(255, 255, 255)',
    );
    const pdf = (await page.pdf({ preferCSSPageSize: true })).toString('latin1');
    expect(/\/Count (\d+)/.exec(pdf)?.[1]).toBe('1');
    const [, width, height] = /\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/.exec(pdf) ?? [];
    // In points.
    expect([Math.round(Number(width)), Math.round(Number(height))]).toEqual([595, 842]);
    // The page is as it was before.
    expect(await paper.isVisible()).toBe(true);
  });
});

describe('the advanced report', () => {
  it('has the people of the chosen routes, as the pages of their buses show them', async () => {
    await openPage(`/demo-advanced-report?from=${date}&to=${date}`);
    await page.getByRole('checkbox', { name: /^Все/ }).check();
    expect(await findAxeFaults(page)).toEqual([]);
    const rows = await savedRows(page.getByRole('button', { name: 'Скачать отчёт' }));
    const list = await read<{ items: { id: number }[] }>('/api/bus_list');
    let entered = 0;
    for (const { id } of list.items) {
      const query = `workplaceId=${id}&date=${date}`;
      const day = await read<DayFragments>(`/api/segments/day-segments?${query}`);
      entered += day.totalEnteredManual;
    }
    expect(entered).toBeGreaterThan(0);
    expect(sumOf(rows, 'Вошло')).toBe(entered);
  });
});

describe('a report that a job makes', () => {
  it('appears in the list, and has the rows of the same export', async () => {
    const parameters = { kind: 'test-export', from: date, to: date, workplaceIds: [busId] };
    await openPage('/reports');
    await page.getByText('Отчётов нет').waitFor();
    const wanted = { parameters, language: 'ru_RU' };
    await ask<Report>(product.url, tokens.owner1, 'POST', '/api/reports', wanted);
    await page.reload();
    const item = page.getByRole('listitem').filter({ hasText: 'Тестовая выгрузка' });
    const rows = await savedRows(item.getByRole('button', { name: 'Скачать' }));
    expect(await findAxeFaults(page)).toEqual([]);
    await page.goto(`/test-export?from=${date}&to=${date}&ids=${busId}`);
    await page.getByText('Ваши отчёты этого вида').waitFor();
    expect(await findAxeFaults(page)).toEqual([]);
    const atOnce = await savedRows(page.getByRole('button', { name: 'Скачать отчёт' }));
    expect(atOnce.length).toBeGreaterThan(100);
    expect(rows).toEqual(atOnce);
  });
});

describe('the reports on a phone', () => {
  const openOnPhone = (address: string) =>
    openPage(`${address}?from=${date}&to=${date}&ids=${busId}`, 'admin', { phone: true });
  const widthOfPage = () => page.evaluate(() => document.body.scrollWidth);

  it('are saved from their list, and made for all routes', async () => {
    const parameters = { kind: 'test-export', from: date, to: date, workplaceIds: [busId] };
    const token = await signIn(product.url, 'admin');
    await ask<Report>(product.url, token, 'POST', '/api/reports', { parameters });
    await openOnPhone('/reports');
    const item = page.getByRole('listitem').filter({ hasText: 'Тестовая выгрузка' });
    const made = await savedRows(item.getByRole('button', { name: 'Скачать' }));
    expect([made.length > 100, await widthOfPage()]).toEqual([true, 390]);
    expect(await findAxeFaultsInThemes(page)).toEqual([]);
    await openOnPhone('/demo-advanced-report');
    await page.getByRole('checkbox', { name: /^Все/ }).check();
    const routes = await savedRows(page.getByRole('button', { name: 'Скачать отчёт' }));
    expect([sumOf(routes, 'Вошло') > 0, await widthOfPage()]).toEqual([true, 390]);
    expect(await findAxeFaultsInThemes(page)).toEqual([]);
  });

  it('name the one that needs a wide screen', async () => {
    await openOnPhone('/test-export');
    await page.getByText('Тестовая выгрузка работает на компьютере').waitFor();
    expect(await findAxeFaultsInThemes(page)).toEqual([]);
  });
});

describe('a user of another customer', () => {
  it('gets no rows by naming foreign buses, routes or reports', async () => {
    const bus = await read<{ group: { id: number } | null }>(`/api/bus/info/${busId}`);
    const report = await ask<Report>(product.url, tokens.owner1, 'POST', '/api/reports', {
      parameters: { kind: 'bus-load', from: date, to: date, workplaceIds: [busId] },
    });
    const days = `from=${date}&to=${date}`;
    const ofBus = `${days}&workplaceIds=${busId}`;
    const statusOf = async (method: string, address: string, body?: unknown): Promise<number> => {
      const answer = await fetch(product.url + address, {
        method,
        headers: {
          authorization: `Bearer ${tokens.owner2}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      await answer.body?.cancel();
      return answer.status;
    };
    for (const address of [
      `/api/stat/passenger-traffic/export?${ofBus}`,
      `/api/stat/tariff-calc/export?${ofBus}`,
      `/api/stat/workplaces-report?${ofBus}`,
      `/api/stat/bus-load/export?${ofBus}`,
      `/api/stat/test-export?${ofBus}`,
      `/api/stat/advanced-report/export?${days}&groupIds=${bus.group?.id}`,
      `/api/reports/${report.id}`,
      `/api/reports/${report.id}/download`,
    ]) {
      expect([address, await statusOf('GET', address)]).toEqual([address, 404]);
    }
    const { parameters } = report;
    expect(await statusOf('POST', '/api/reports', { parameters })).toBe(404);
    expect(await statusOf('POST', '/api/reports/estimate', { parameters })).toBe(404);
    expect(await statusOf('POST', `/api/reports/${report.id}/cancel`)).toBe(404);
  });

  it('finds neither them nor the advanced report on the screens', async () => {
    await openPage(`/test-export?from=${date}&to=${date}&ids=${busId}`, 'owner2');
    await page.getByText('Ничего не выбрано: выгрузка обо всех автобусах').waitFor();
    await page.goto('/reports');
    await page.getByText('Отчётов нет').waitFor();
    expect(await page.getByRole('link', { name: 'Расширенный отчёт' }).count()).toBe(0);
    await page.goto('/demo-advanced-report');
    await page.getByText('Отчёт открыт не всем').waitFor();
    expect(await findAxeFaults(page)).toEqual([]);
  });
});
