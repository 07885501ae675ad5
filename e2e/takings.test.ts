// The calculator against what the simulated passengers paid. They have destinations, so that the estimate by prices has a
// real error.
import type { CalculationParts } from '@ridewatch/contract/calculation';
import { addDays, dayOf } from '@ridewatch/contract/day';
import type { DayFragments } from '@ridewatch/contract/fragments';
import { errorOfSum, kopecksOf, readAmount, roublesOf, salaryOf } from '@ridewatch/contract/money';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser } from '../harness/browser.ts';
import { type RunningFleet, startFleet } from '../harness/fleet.ts';
import { startProductOfFleet, waitForLaps } from '../harness/prepared-fleet.ts';
import { ask, type Product, signIn } from '../harness/product.ts';
import { openVisit } from '../harness/visits.ts';
import { ZONE } from '../harness/zone.ts';

/** Buses of routes with one fare, and of a route with a price table. */
const FIXED = ['SIM-000003', 'SIM-000004'];
const PRICED = ['SIM-000001', 'SIM-000005'];
/** Least share of laps within the stated error; the riders have destinations, so theory promises none. */
const LEAST_SHARE = 0.9;
/** Of the takings, least and most mean error that laps state: none and all would be true of any estimate. */
const ERROR_SHARES = [0.01, 0.12] as const;

let product: Product;
let fleet: RunningFleet;
let token: string;
let browser: Browser;
const yesterday = addDays(dayOf(Date.now(), ZONE), -1);

beforeAll(async () => {
  product = await startProductOfFleet();
  fleet = await startFleet(product);
  token = await signIn(product.url, 'admin');
  browser = await openBrowser();
  await waitForLaps(product, fleet.busIds.values(), [yesterday]);
});
afterAll(async () => {
  await browser?.close();
  await fleet?.stop();
  await product?.remove();
});

const about = (device: string): string =>
  `workplaceId=${fleet.busIds.get(device)}&date=${yesterday}`;

const partsOf = (device: string): Promise<CalculationParts> =>
  ask(product.url, token, 'GET', `/api/workplaces/calculation/parts?${about(device)}`);

const sum = ({ adult, kids }: { adult: number; kids: number }): number => adult + kids;
const amountOf = (rows: readonly { readonly total: string }[]): string =>
  roublesOf(rows.reduce((all, { total }) => all + kopecksOf(total), 0));

interface ComparedLap {
  readonly paid: number;
  /** Kopecks; undefined where the product has no such lap. */
  readonly found: { readonly total: number; readonly error: number } | undefined;
}

/** The laps that a bus drove, with what the passengers of each paid and what the product says. */
async function compareLaps(device: string, laps: CalculationParts['laps']): Promise<ComparedLap[]> {
  const truth = await fleet.truthOf(device, yesterday);
  return truth.laps.map(({ departure, fare }) => {
    const startMs = Date.parse(departure);
    const lap = laps.find(
      ({ open, start }) => !open && Math.abs(Date.parse(start) - startMs) < 120_000,
    );
    const amounts = lap && { total: kopecksOf(lap.total), error: kopecksOf(lap.error ?? '') };
    return { paid: kopecksOf(fare ?? ''), found: amounts };
  });
}

const isWithin = ({ paid, found }: ComparedLap): boolean =>
  found !== undefined && Math.abs(found.total - paid) <= found.error;

describe('the takings of a day', () => {
  it.each(FIXED)('of %s with one fare are fare × people, to the kopeck', async (device) => {
    const truth = await fleet.truthOf(device, yesterday);
    const { calculation, laps, other } = await partsOf(device);
    expect(truth.fare?.type).toBe('FIXED');
    expect(calculation).toMatchObject({
      ...{ type_calculation: 'FIXED', fare: '45.00', salary_percent: '18.00' },
      ...{ count: sum(truth.entered), total: truth.fare?.total, total_error: null },
      salary: roublesOf(salaryOf(kopecksOf(truth.fare?.total ?? ''), 1800)),
    });
    expect(kopecksOf(calculation.total)).toBeGreaterThan(0);
    expect(amountOf([...laps, other])).toBe(calculation.total);
    const address = `/api/segments/day-segments?${about(device)}`;
    const day = await ask<DayFragments>(product.url, token, 'GET', address);
    expect(day.calculation).toEqual(calculation);
  });

  it('by prices are within the stated error of what the passengers of each lap paid', async () => {
    const compared: ComparedLap[] = [];
    for (const device of PRICED) {
      const { calculation, laps } = await partsOf(device);
      expect(calculation).toMatchObject({ type_calculation: 'CALCULATION', no_price: 0 });
      expect(amountOf(laps)).toBe(calculation.total);
      compared.push(...(await compareLaps(device, laps)));
    }
    expect(compared.length).toBeGreaterThan(5);
    expect(compared.filter(isWithin).length / compared.length).toBeGreaterThanOrEqual(LEAST_SHARE);
    const [takings, stated] = compared.reduce(
      ([all, errors], { paid, found }) => [all + paid, errors + (found?.error ?? 0)],
      [0, 0] as [number, number],
    );
    expect(stated / takings).toBeGreaterThan(ERROR_SHARES[0]);
    expect(stated / takings).toBeLessThan(ERROR_SHARES[1]);
  });

  it('by prices are on the calculator with their error, and what the passengers paid is within it', async () => {
    const [device = ''] = PRICED;
    const { calculation, laps } = await partsOf(device);
    const context = await openVisit(browser, product.url, { as: 'admin' });
    const page = await context.newPage();
    await page.goto(`/bus/${calculation.workplace_id}?date=${yesterday}&money=laps`);
    const rows = page.getByRole('table', { name: 'Круги' }).locator('tbody tr:has(a)');
    await rows.first().waitFor();
    const shown = await rows.locator('td:last-child').allInnerTexts();
    const amountsIn = (cell: string) => cell.split('±').map((text) => readAmount(text));
    expect(shown.map(amountsIn)).toEqual(
      laps.map(({ total, error }) => [kopecksOf(total), kopecksOf(error ?? '')]),
    );
    const revenue = page
      .getByRole('button', { name: /^Выручка/ })
      .locator('span')
      .last();
    const [total, error] = amountsIn((await revenue.textContent()) ?? '');
    await context.close();
    expect([roublesOf(total ?? 0), roublesOf(error ?? 0)]).toEqual([
      calculation.total,
      calculation.total_error,
    ]);
    // A lap that the clock cuts at midnight is in the truth of one day and in the calculation of another.
    const found = (await compareLaps(device, laps)).flatMap(({ paid, found: lap }) =>
      lap === undefined ? [] : [{ paid, ...lap }],
    );
    const missed = found.reduce((all, lap) => all + lap.total - lap.paid, 0);
    expect(Math.abs(missed)).toBeGreaterThan(0);
    expect(Math.abs(missed)).toBeLessThanOrEqual(errorOfSum(found.map((lap) => lap.error)));
  });
});
