// A bus that stands at its terminal overnight: each passenger belongs to one day, by what either day sees of the other.
import { dayRange } from '@ridewatch/contract/day';
import { describe, expect, inject, it } from 'vitest';
import { LAP_MARGIN_MS } from '../../days/due-laps.ts';
import { drive, type Point, positionsOf, thereAndBack } from '../../test/drive.ts';
import { lapsOfDay } from './day-laps.ts';
import type { Boarding } from './people/attribute.ts';

const ZONE = 'Europe/Moscow';
const DAYS = ['2026-03-10', '2026-03-11'];
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const EVERY_MS = (inject('triesEverything') ? 17 : 53) * MINUTE_MS;
const street = thereAndBack(
  [
    [0, 0],
    [2500, 0],
    [2500, 1500],
  ],
  500,
);
const route = {
  ...{ routeId: 1, route: street, places: new Map() },
  ...{ prices: null, keep: 'entered' as const },
};
const eveningMs = dayRange('2026-03-10', ZONE).startMs + 20 * HOUR_MS;
const evening = drive(street, { seed: 1, startMs: eveningMs, laps: 2 }).points;
const arrivalMs = evening.at(-1)?.[0] ?? 0;

function countedOn(day: string, points: readonly Point[], event: Boarding): number {
  const { startMs, endMs } = dayRange(day, ZONE);
  const isNear = (ms: number): boolean =>
    ms >= startMs - LAP_MARGIN_MS && ms < endMs + LAP_MARGIN_MS;
  const { laps } = lapsOfDay({
    ...{ startMs, endMs, nowMs: endMs + 48 * HOUR_MS, route },
    positions: positionsOf(points.filter(([ms]) => isNear(ms))),
    events: [event].filter(({ timeMs }) => isNear(timeMs)),
  });
  return laps.reduce((sum, { entered, exited }) => sum + entered + exited, 0);
}

describe.each([
  ['departs at 05:45', 9.75, true],
  ['departs at 06:45', 10.75, true],
  ['departs at 06:45, its unit off until five minutes before', 10.75, false],
])('people who get on or off at the terminal of a bus that %s', (_name, hours, isOn) => {
  const leavesMs = eveningMs + hours * HOUR_MS;
  const onMs = isOn ? arrivalMs : leavesMs - 5 * MINUTE_MS;
  const [, latitude, longitude] = evening.at(-1) as Point;
  const parked = Array.from({ length: Math.floor((leavesMs - onMs) / 10_000) }, (_, n): Point => {
    return [onMs + (n + 1) * 10_000, latitude, longitude, 0];
  });
  const morning = drive(street, { seed: 2, startMs: leavesMs + 1000, laps: 2, layoverS: 60 });
  const points = [...evening, ...parked, ...morning.points];

  it.each(['entered', 'exited'] as const)('%s on one of both days, at any time', (direction) => {
    for (let timeMs = arrivalMs; timeMs < leavesMs + HOUR_MS; timeMs += EVERY_MS) {
      const event = { timeMs, direction, count: 1 };
      const counted = DAYS.reduce((sum, day) => sum + countedOn(day, points, event), 0);
      expect([new Date(timeMs).toISOString(), counted]).toEqual([expect.any(String), 1]);
    }
  });
});
