// The calculator against what the simulated passengers paid.
import type { CalculationParts } from '@ridewatch/contract/calculation';
import { addDays, dayOf } from '@ridewatch/contract/day';
import type { ResponseOf } from '@ridewatch/contract/endpoint';
import type { DayFragments } from '@ridewatch/contract/fragments';
import type { listDayLaps } from '@ridewatch/contract/laps';
import { kopecksOf, roublesOf, salaryOf } from '@ridewatch/contract/money';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningFleet, startFleet } from './fleet.ts';
import { ask, type Product, signIn, startProduct, waitFor } from './product.ts';
import { ZONE } from './zone.ts';

/** Buses of routes with one fare, and of a route with a price table. */
const FIXED = ['SIM-000003', 'SIM-000004'];
const PRICED = ['SIM-000001', 'SIM-000005'];
const LAPS_LIMIT_MS = 120_000;
/** Least share of laps within the stated error; the riders have destinations, so theory promises none. */
const LEAST_SHARE = 0.9;

type DayLaps = ResponseOf<typeof listDayLaps>;

let product: Product;
let fleet: RunningFleet;
let token: string;
const yesterday = addDays(dayOf(Date.now(), ZONE), -1);

beforeAll(async () => {
  product = await startProduct();
  fleet = await startFleet(product, 5);
  token = await signIn(product.url, 'admin');
  // Days that somebody looks at go first.
  await waitFor(
    async () => {
      const days = await Promise.all(
        [...FIXED, ...PRICED].map((device) =>
          ask<DayLaps>(product.url, token, 'GET', `/api/bus-stop/day-laps?${about(device)}`),
        ),
      );
      return days.every(({ items, pending }) => items.length > 2 && !pending);
    },
    "yesterday's laps",
    LAPS_LIMIT_MS,
  );
});
afterAll(async () => {
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
    let within = 0;
    let compared = 0;
    for (const device of PRICED) {
      const truth = await fleet.truthOf(device, yesterday);
      const { calculation, laps } = await partsOf(device);
      expect(calculation).toMatchObject({ type_calculation: 'CALCULATION', no_price: 0 });
      expect(amountOf(laps)).toBe(calculation.total);
      const ofDay = laps.filter(({ open }) => !open);
      for (const lap of truth.laps) {
        const startMs = Date.parse(lap.departure);
        const found = ofDay.find(({ start }) => Math.abs(Date.parse(start) - startMs) < 120_000);
        compared += 1;
        if (found === undefined) continue;
        const missed = Math.abs(kopecksOf(found.total) - kopecksOf(lap.fare ?? ''));
        if (missed <= kopecksOf(found.error ?? '')) within += 1;
      }
    }
    expect(compared).toBeGreaterThan(5);
    expect(within / compared).toBeGreaterThanOrEqual(LEAST_SHARE);
  });
});
