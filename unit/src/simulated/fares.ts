import { roublesOf } from '@ridewatch/contract/money';
import type { Line } from './line.ts';

/** Prices of rides by length along the route. */
const ZONES = [
  { upToM: 3_000, kopecks: 40_00 },
  { upToM: 7_000, kopecks: 52_00 },
  { upToM: Number.POSITIVE_INFINITY, kopecks: 65_00 },
] as const;
/** Price of a ride on a route with one price, kopecks. */
export const FLAT_FARE_KOPECKS = 45_00;

/** The drivers' share of the day's takings, percent. */
export const SALARY_PERCENT = '18.00';

/** The price between two stops of a route with zones, kopecks. */
export function zoneFareKopecks(line: Line, from: number, to: number): number {
  const lengthM = (line.stops[to]?.atM ?? 0) - (line.stops[from]?.atM ?? 0);
  return ZONES.find((zone) => lengthM <= zone.upToM)?.kopecks ?? 0;
}

/** The price table of a line, roubles with two decimals, by index of stops within the line. */
export function listCosts(line: Line): { from: number; to: number; cost: string }[] {
  return line.stops.flatMap((_, from) =>
    line.stops.slice(from + 1).map((__, index) => {
      const to = from + 1 + index;
      return { from, to, cost: roublesOf(zoneFareKopecks(line, from, to)) };
    }),
  );
}
