// How well the product estimates takings in the demo's world: its laps by prices against what their passengers paid.
import { listBuses } from '@ridewatch/contract/buses';
import { findCalculationParts } from '@ridewatch/contract/calculation';
import { kopecksOf } from '@ridewatch/contract/money';
import * as z from 'zod/mini';
import type { Administrator } from '../fleet-set-up.ts';
import type { SimulatedBus } from './bus.ts';
import type { Days } from './days.ts';
import { calculations } from './plan.ts';
import { truthOf } from './truth.ts';

/** A lap of the product is the true one that departs at most this much earlier or later, ms. */
const SAME_LAP_MS = 120_000;
const REFUSED = 'The takings of the demo could not be read';

const Buses = z.object({
  items: z.array(z.object({ id: z.int(), group_device_id: z.nullable(z.string()) })),
});
const Parts = z.object({
  laps: z.array(
    z.object({
      start: z.string(),
      open: z.boolean(),
      total: z.string(),
      error: z.nullable(z.string()),
    }),
  ),
  pending: z.boolean(),
});

/** True laps of compared days, and those among them that the product found with takings within its stated error. */
export interface ComparedTakings {
  readonly laps: number;
  readonly within: number;
}

/**
 * Compares the laps of buses on routes with prices. Days whose laps are not calculated yet are left out.
 * @param listDays the local days of a bus to compare, each over
 * @throws SetUpError when the server refuses it
 */
export async function compareTakings(
  administrator: Pick<Administrator, 'call'>,
  buses: readonly SimulatedBus[],
  days: Days,
  listDays: (bus: SimulatedBus) => readonly string[],
): Promise<ComparedTakings> {
  const get = (path: string) => administrator.call('GET', path, undefined, REFUSED);
  const { items } = Buses.parse(await get(listBuses.path));
  const compared = { laps: 0, within: 0 };
  for (const bus of buses) {
    const id = items.find((one) => one.group_device_id === bus.deviceId)?.id;
    if (id === undefined || bus.group === null || calculations[bus.line] === 'FIXED') continue;
    for (const day of listDays(bus)) {
      const address = `${findCalculationParts.path}?workplaceId=${id}&date=${day}`;
      const { laps, pending } = Parts.parse(await get(address));
      if (pending) continue;
      const found = laps.filter(({ open }) => !open);
      for (const { departure, fare } of truthOf(days.seed, days.find(bus, day)).laps) {
        compared.laps += 1;
        const lap = found.find(
          ({ start }) => Math.abs(Date.parse(start) - Date.parse(departure)) < SAME_LAP_MS,
        );
        if (lap === undefined || lap.error === null || fare === null) continue;
        const missed = Math.abs(kopecksOf(lap.total) - kopecksOf(fare));
        if (missed <= kopecksOf(lap.error)) compared.within += 1;
      }
    }
  }
  return compared;
}
