import type { BusList } from '@ridewatch/contract/buses';
import type { CalculationParts } from '@ridewatch/contract/calculation';
import { dayOf } from '@ridewatch/contract/day';
import type { Calculation } from '@ridewatch/contract/day-calculation';
import { kopecksOf, roublesOf, salaryOf } from '@ridewatch/contract/money';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { findAxeFaults } from '../harness/axe.ts';
import { openBrowser, type Visit } from '../harness/browser.ts';
import { drive, LAP_ROUBLES, lengthMs, planOf, recalculateDay } from '../harness/drive.ts';
import {
  ask,
  type Product,
  sendRecords,
  setUpFleet,
  signIn,
  startProduct,
} from '../harness/product.ts';
import { casesOf } from '../harness/tries.ts';
import { openVisit } from '../harness/visits.ts';

const LAPS = 3;
/** Fields of the calculator that can be typed wrongly; the shift has one note for both inputs. */
const MISTAKES = 6;
const HOUR_MS = 3_600_000;
/** A zone where it is not just after midnight; the second one applies at night in Moscow. */
const ZONE =
  new Date(Date.now() + 3 * HOUR_MS).getUTCHours() >= 4 ? 'Europe/Moscow' : 'America/New_York';
const today = dayOf(Date.now(), ZONE);
/** Money in the page: the digits are grouped. */
const shown = (roubles: string): string =>
  roubles
    .replace('-', '−')
    .replace('.', ',')
    .replace(/\B(?=(\d{3})+,)/g, '\u00a0');

let product: Product;
let browser: Browser;
const contexts: BrowserContext[] = [];
/** The bus with revenue by prices, and the one with revenue by fare. */
let pricedId: number;
let fixedId: number;

beforeAll(async () => {
  product = await startProduct();
  const token = await signIn(product.url, 'admin');
  const [priced, fixed] = await setUpFleet(product.url, planOf(ZONE));
  if (!priced || !fixed) throw new Error('no units');
  pricedId = priced.bus_id;
  fixedId = fixed.bus_id;
  const records = drive(Date.now() - lengthMs(LAPS) - 5 * 60_000, LAPS);
  // Passengers who board after the last lap have not paid for a ride yet.
  const last = records.findLastIndex(({ type }) => type === 'passenger');
  for (const unit of [priced, fixed]) {
    await sendRecords(product.url, unit.credential, records.toSpliced(last, 1));
    await recalculateDay(product.url, token, unit.bus_id, today);
  }
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await product?.remove();
});
afterEach(async () => {
  for (const context of contexts.splice(0)) await context.close();
});

/** Opens the count tab of a bus's day as a user. */
async function openDay(login: string, busId: number, options: Visit = {}): Promise<Page> {
  const context = await openVisit(browser, product.url, { ...options, as: login });
  contexts.push(context);
  const page = await context.newPage();
  await page.goto(`/bus/${busId}?date=${today}`);
  return page;
}

async function openCalculator(page: Page) {
  await page.getByRole('button', { name: /К сдаче/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Расчёт за день' });
  await dialog.getByLabel('Тариф', { exact: true }).waitFor();
  return dialog;
}

async function boxOf(element: Locator) {
  const box = await element.boundingBox();
  if (box === null) throw new Error(`${element} is not visible`);
  return { top: box.y, bottom: box.y + box.height };
}

const query = (busId: number): string => `?workplaceId=${busId}&date=${today}`;

async function calculationOf(busId: number): Promise<Calculation> {
  const token = await signIn(product.url, 'owner2');
  const address = `/api/workplaces/calculation${query(busId)}`;
  return ask<Calculation>(product.url, token, 'GET', address);
}

describe('the calculator of a bus', () => {
  it('takes a fare and a percent from any user who sees the bus, and shows total, salary and what is to be handed in', async () => {
    const { count } = await calculationOf(fixedId);
    expect(count).toBeGreaterThan(0);
    const page = await openDay('owner2', fixedId);
    const dialog = await openCalculator(page);
    await dialog.getByLabel('Тариф', { exact: true }).fill('45,5');
    await dialog.getByLabel('Зарплата', { exact: true }).fill('18,33');
    await dialog.getByLabel('Безнал', { exact: true }).fill('100');
    const total = 4550 * count;
    const salary = salaryOf(total, 1833);
    const result = roublesOf(total - salary - 10_000);
    const money = { total: roublesOf(total), salary: roublesOf(salary), result };
    for (const [figure, amount] of Object.entries(money)) {
      const own = page.locator(`[data-money=${figure}]`);
      await expect
        .poll(() => own.textContent(), { message: figure })
        .toContain(`${shown(amount)}\u00a0₽`);
    }
    await dialog.getByText(`${shown(result)}\u00a0₽`).waitFor();
    const history = dialog.getByRole('region', { name: 'История изменений' });
    await history.getByText('owner2').first().waitFor();
    expect(await findAxeFaults(page)).toEqual([]);
  });

  it('has a revenue by prices that is what the riders paid, within the stated error, lap by lap', async () => {
    const page = await openDay('owner2', pricedId);
    const dialog = await openCalculator(page);
    const token = await signIn(product.url, 'owner2');
    const address = `/api/workplaces/calculation/parts${query(pricedId)}`;
    const parts = await ask<CalculationParts>(product.url, token, 'GET', address);
    const { total, total_error, type_calculation } = parts.calculation;
    expect(type_calculation).toBe('CALCULATION');
    const paid = LAPS * kopecksOf(LAP_ROUBLES);
    expect(Math.abs(kopecksOf(total) - paid)).toBeLessThanOrEqual(kopecksOf(total_error ?? '0'));
    await dialog
      .getByRole('button', { name: /^Выручка/ })
      .getByText(shown(total))
      .waitFor();
    const laps = dialog.getByRole('table', { name: 'Круги' });
    expect(await laps.locator('tbody').getByRole('link').count()).toBe(LAPS);
    await laps.getByTitle('Круг 2 на вкладке GPS').click();
    await page.getByRole('region', { name: 'Круг 2' }).waitFor();
    await page.goBack();
    await dialog.getByRole('table', { name: 'Круги' }).waitFor();
  });

  it('tells both of two people who edit one day', async () => {
    const [owner, operator] = [
      await openDay('owner2', fixedId),
      await openDay('operator', fixedId),
    ];
    const [ofOwner, ofOperator] = [await openCalculator(owner), await openCalculator(operator)];
    // The operator's page has not read again yet when the operator types.
    for (const read of ['**/calculation/parts?*', '**/api/segments/day-segments?*']) {
      await operator.route(read, () => undefined);
    }
    await ofOwner.getByLabel('Зарплата', { exact: true }).fill('20');
    await ofOwner.getByText(/Сохранено в/).waitFor();
    await ofOperator.getByLabel('Зарплата', { exact: true }).fill('15');
    await ofOperator.getByText('owner2: 20\u00a0%').waitFor();
    await ofOperator.getByRole('button', { name: 'оставить' }).click();
    await ofOperator.getByText(/Сохранено в/).waitFor();
    await ofOwner.getByText('Изменено: operator, было 20\u00a0%').waitFor();
    expect(await ofOwner.getByLabel('Зарплата', { exact: true }).inputValue()).toBe('15');
    expect((await calculationOf(fixedId)).salary_percent).toBe('15.00');
  });

  const devices: [name: string, phone: boolean][] = [
    ['a desktop', false],
    ['a phone', true],
  ];
  it.each(casesOf(devices, 1))(
    'has hours and minutes to choose a shift from on %s',
    async (_name, phone) => {
      const page = await openDay('owner2', fixedId, { phone });
      const dialog = await openCalculator(page);
      await dialog.getByRole('button', { name: 'Выбрать время смены' }).click();
      const minute = phone ? '05' : '10';
      const choose = async (group: string, number: string) =>
        page.getByRole('group', { name: group }).getByRole('button', { name: number }).click();
      await choose('Смена, начало: часы', '00');
      await choose('Смена, начало: минуты', minute);
      expect(await findAxeFaults(page)).toEqual([]);
      await page.keyboard.press('Escape');
      const start = dialog.getByRole('textbox', { name: 'Смена, начало' });
      expect(await start.inputValue()).toBe(`00:${minute}`);
      await dialog.getByText('Сохранено').first().waitFor();
      await dialog.press('Escape');
      if (!phone) await page.setViewportSize({ width: 1440, height: 900 });
      // The shift cuts the totals beside it, so it shows without the calculator, too.
      await page.locator('[data-money=shift]').getByText(`00:${minute}–24:00`).waitFor();
    },
  );

  it.each(casesOf(['ru_RU', 'en_US'], 1))(
    'has all fields and the result in view, also with a mistake in each (%s)',
    async (language) => {
      const page = await openDay('owner2', fixedId);
      await page.setViewportSize({ width: 1440, height: 900 });
      await page.evaluate(
        (name) => localStorage.setItem('ridewatch.language', JSON.stringify(name)),
        language,
      );
      await page.goto(`/bus/${fixedId}?date=${today}&money=laps`);
      const dialog = page.getByRole('dialog');
      const inputs = dialog.getByRole('textbox');
      await inputs.first().waitFor();
      for (let n = 0; n < (await inputs.count()); n += 1) await inputs.nth(n).fill('x'.repeat(300));
      await dialog
        .locator('[role=alert]')
        .nth(MISTAKES - 1)
        .waitFor();
      const panel = await boxOf(dialog);
      const sums = await boxOf(dialog.getByRole('button', { name: /^(Выручка|Revenue)/ }));
      const lastNote = await boxOf(dialog.locator('[role=alert]').last());
      expect(lastNote.bottom).toBeLessThanOrEqual(sums.top);
      expect((await boxOf(inputs.last())).bottom).toBeLessThanOrEqual(lastNote.top);
      const result = await boxOf(dialog.locator('output'));
      expect(result.bottom).toBeLessThan(panel.bottom);
      expect(panel.bottom).toBeLessThanOrEqual(900);
    },
  );

  it('has all its views within the width of a phone, large enough for a finger', async () => {
    const page = await openDay('owner2', pricedId, { phone: true });
    const dialog = await openCalculator(page);
    const views = dialog.getByRole('group', { name: 'Из чего сложилась выручка' });
    const boxes = await views.getByRole('button').evaluateAll((buttons) =>
      buttons.map((button) => {
        const { left, right, height } = button.getBoundingClientRect();
        return { isWithin: left >= 0 && right <= innerWidth, height };
      }),
    );
    expect(boxes).toHaveLength(5);
    for (const { isWithin, height } of boxes) {
      expect(isWithin).toBe(true);
      expect(height).toBeGreaterThanOrEqual(44);
    }
    await views.getByRole('button', { name: 'История' }).click();
    await dialog.getByRole('region', { name: 'История изменений' }).waitFor();
  });

  it('opens on a phone from the button of the money, with the result first, and a shift cuts the day', async () => {
    const page = await openDay('owner2', fixedId, { phone: true });
    const dialog = await openCalculator(page);
    expect(await findAxeFaults(page)).toEqual([]);
    await dialog.getByLabel('Смена, начало').fill('00:01');
    await dialog.getByLabel('Смена, конец').fill('00:02');
    await dialog.getByText(/Вне смены, не в расчёте/).waitFor();
    await dialog.getByRole('button', { name: 'Закрыть' }).click();
    // The totals of the day are read again.
    await page.locator('[data-total=entered]').getByText('0', { exact: true }).waitFor();
    await page.locator('[data-money=total]').getByText('0,00\u00a0₽', { exact: true }).waitFor();
  });
});

describe('a user of another customer', () => {
  it('gets none of it by changing ids', async () => {
    const { fare } = await calculationOf(pricedId);
    const token = await signIn(product.url, 'owner1');
    const on = { workplaceId: pricedId, date: today };
    const base = '/api/workplaces/calculation';
    const owner = await signIn(product.url, 'owner2');
    const { items } = await ask<BusList>(product.url, owner, 'GET', '/api/bus_list');
    const routeId = items.find(({ id }) => id === pricedId)?.group?.id;
    expect(routeId).toBeGreaterThan(0);
    const ofRoute = { group_id: routeId, date_from: today, fare: '1.00' };
    const requests: [string, string, object | undefined][] = [
      ['GET', `${base}${query(pricedId)}`, undefined],
      ['GET', `${base}/parts${query(pricedId)}`, undefined],
      ['GET', `${base}/history${query(pricedId)}`, undefined],
      ['PUT', base, { ...on, fare: '1.00' }],
      ['POST', '/api/workplaces/shift', { ...on, shift_start: null }],
      ['POST', `${base}/recalculate`, { workplace_id: pricedId, date: today }],
      ['PUT', `${base}/group`, { ...ofRoute, preview: true }],
      ['PUT', `${base}/group`, { ...ofRoute, preview: false }],
    ];
    for (const [method, address, body] of requests) {
      const answer = await fetch(product.url + address, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      });
      expect([address, answer.status]).toEqual([address, 404]);
    }
    expect((await calculationOf(pricedId)).fare).toBe(fare);
  });
});
