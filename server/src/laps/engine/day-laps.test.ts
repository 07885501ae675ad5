import { addDays, dayRange } from '@ridewatch/contract/day';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LAP_MARGIN_MS } from '../../days/due-laps.ts';
import {
  drive,
  type Point,
  placeAt,
  positionsOf,
  randomOf,
  thereAndBack,
} from '../../test/drive.ts';
import { measuresCost } from '../../test/tries-of.ts';
import { type DayLaps, lapsOfDay } from './day-laps.ts';
import type { DayRoute } from './day-route.ts';
import type { Boarding } from './people/attribute.ts';

const HOUR_MS = 3_600_000;
const street = thereAndBack(
  [
    [0, 0],
    [2500, 0],
    [2500, 1500],
    [4000, 1500],
  ],
  500,
);
const route: DayRoute = {
  routeId: 1,
  route: street,
  places: new Map(street.stops.map(({ id }) => [id, { name: `stop ${id}`, classifierId: id }])),
  prices: null,
  keep: 'entered',
};

/** A day of a zone from all records, as the job reads it: with some hours before and after. */
function dayOf(
  day: string,
  zone: string,
  points: readonly Point[],
  events: readonly Boarding[],
  more: { route?: DayRoute | null; nowMs?: number } = {},
): DayLaps {
  const { startMs, endMs } = dayRange(day, zone);
  const isNear = (ms: number): boolean =>
    ms >= startMs - LAP_MARGIN_MS && ms < endMs + LAP_MARGIN_MS;
  return lapsOfDay({
    startMs,
    endMs,
    nowMs: endMs + 24 * HOUR_MS,
    route,
    positions: positionsOf(points.filter(([ms]) => isNear(ms))),
    events: events.filter(({ timeMs }) => isNear(timeMs)),
    ...more,
  });
}

const peopleOf = ({ laps }: DayLaps): { entered: number; exited: number } => ({
  entered: laps.reduce((sum, lap) => sum + lap.entered, 0),
  exited: laps.reduce((sum, lap) => sum + lap.exited, 0),
});

function eventsWithin(seed: number, fromMs: number, toMs: number, count: number): Boarding[] {
  const random = randomOf(seed);
  return Array.from({ length: count }, () => ({
    timeMs: Math.floor(fromMs + random() * (toMs - fromMs)),
    direction: random() < 0.5 ? 'entered' : 'exited',
    // The difference of a manual count may be negative.
    count: random() < 0.1 ? -1 : 1 + Math.floor(random() * 3),
  }));
}

describe('the laps of days one after the other', () => {
  it.each([
    ['Europe/Moscow', '2026-03-10'],
    ['Europe/Berlin', '2026-03-28'],
    ['Europe/Berlin', '2026-10-24'],
  ])('in %s from %s have everybody once, wherever the bus was', (zone, first) => {
    const days = [0, 1, 2].map((n) => addDays(first, n));
    const { startMs } = dayRange(days[0] ?? '', zone);
    const { endMs } = dayRange(days[2] ?? '', zone);
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e6 }), fc.boolean(), (seed, hasRoute) => {
        // The bus drives for some hours of each day, also over midnight, and is silent in between.
        const points = [5, 21, 33, 52].flatMap(
          (hours) =>
            drive(street, { seed, startMs: startMs + hours * HOUR_MS, laps: 4, skip: 0.3 }).points,
        );
        const events = eventsWithin(seed, startMs, endMs, 300);
        const more = hasRoute ? {} : { route: null };
        const all = days.map((day) => dayOf(day, zone, points, events, more));
        const sum = (side: 'entered' | 'exited'): number =>
          all.reduce((total, one) => total + peopleOf(one)[side], 0);
        const sent = (side: string): number =>
          events.reduce((total, one) => total + (one.direction === side ? one.count : 0), 0);
        expect([sum('entered'), sum('exited')]).toEqual([sent('entered'), sent('exited')]);
        for (const { laps } of all) {
          for (const lap of laps) {
            const atStops = lap.stops.reduce(
              (total, stop) => total + stop.entered + stop.exited,
              0,
            );
            expect(atStops + lap.unplaced).toBe(lap.entered + lap.exited);
            expect(lap.stops.every(({ load }) => load >= 0)).toBe(true);
          }
        }
      }),
      { numRuns: 6 },
    );
  });

  it('have each lap and each halt once', () => {
    const zone = 'Europe/Berlin';
    const days = ['2026-10-24', '2026-10-25', '2026-10-26'];
    const { startMs } = dayRange('2026-10-24', zone);
    const truth = drive(street, { seed: 4, startMs: startMs + 20 * HOUR_MS, laps: 40 });
    const all = days.map((day) => dayOf(day, zone, truth.points, []));
    const laps = all.flatMap((one) => one.laps);
    expect(laps).toHaveLength(40);
    expect(laps.every(({ incomplete }) => incomplete === null)).toBe(true);
    // The day on which clocks go back has 25 hours; three laps take a little over two.
    expect(all[1]?.laps.length).toBeGreaterThan(33);
    const halts = all.flatMap((one) => one.halts.map((halt) => halt.startMs));
    expect(new Set(halts).size).toBe(halts.length);
    expect([...halts].sort((a, b) => a - b)).toEqual(halts);
  });
});

describe('a lap that goes on', () => {
  const startMs = Date.parse('2026-03-10T03:00:00Z');
  const truth = drive(street, { seed: 5, startMs, laps: 3 });
  const cutMs = (truth.laps[2]?.startMs ?? 0) + 10 * 60_000;
  const points = truth.points.filter(([ms]) => ms < cutMs);
  const events: Boarding[] = [
    { timeMs: (truth.laps[2]?.stays[2]?.[0] ?? 0) + 5000, direction: 'entered', count: 7 },
  ];

  it('is open, and shows those on board as they were counted', () => {
    const { laps } = dayOf('2026-03-10', 'Europe/Moscow', points, events, { nowMs: cutMs });
    expect(laps.map(({ open }) => open)).toEqual([false, false, true]);
    expect([laps[2]?.maxLoad, laps[2]?.drift, laps[2]?.incomplete]).toEqual([7, 0, 'no_arrival']);
  });

  it('has its other stops ahead, and did not get there when nothing more is heard of it', () => {
    const stopsAt = (nowMs: number) =>
      dayOf('2026-03-10', 'Europe/Moscow', points, [], { nowMs }).laps[2]?.stops ?? [];
    const far = stopsAt(cutMs).filter(({ direction }) => direction === 'REVERSE');
    expect(far.map(({ skipped }) => skipped)).toEqual(far.map(() => 'ahead'));
    const lost = stopsAt(cutMs + 2 * HOUR_MS).filter(({ direction }) => direction === 'REVERSE');
    expect(lost.map(({ skipped }) => skipped)).toEqual(far.map(() => 'not_driven'));
    expect(far.length).toBeGreaterThan(5);
  });

  it('is over when nothing was heard of the bus for two hours', () => {
    const nowMs = cutMs + 2 * HOUR_MS;
    const { laps } = dayOf('2026-03-10', 'Europe/Moscow', points, events, { nowMs });
    expect([laps[2]?.open, laps[2]?.drift]).toEqual([false, 7]);
  });
});

describe('people away from any stop', () => {
  it('are at the halt where they got on, which is a stop of the lap without a name', () => {
    const startMs = Date.parse('2026-03-10T03:00:00Z');
    const truth = drive(street, { seed: 6, startMs, laps: 2 });
    const middle = truth.points.findIndex(
      ([ms]) =>
        ms > ((truth.laps[1]?.stays[3]?.[1] ?? 0) + (truth.laps[1]?.stays[4]?.[0] ?? 0)) / 2,
    );
    const at = truth.points[middle] as Point;
    const stood = Array.from({ length: 60 }, (_, n): Point => [at[0] + n * 1000, at[1], at[2], 0]);
    const points = [
      ...truth.points.slice(0, middle),
      ...stood,
      ...truth.points.slice(middle).map(([ms, ...rest]): Point => [ms + 60_000, ...rest]),
    ];
    const event: Boarding = { timeMs: at[0] + 30_000, direction: 'entered', count: 2 };
    const { laps, halts } = dayOf('2026-03-10', 'Europe/Moscow', points, [event]);
    const stops = laps[1]?.stops ?? [];
    const added = stops.findIndex(({ stopId }) => stopId === null);
    expect(stops[added]).toMatchObject({ name: '', entered: 2, evidence: 'halt', load: 1 });
    expect([stops[added - 1]?.stopId, stops[added + 1]?.stopId]).toEqual([4, 5]);
    const halt = halts.find(({ position, lap }) => lap === 2 && position === added);
    expect([halt?.entered, laps[1]?.unplaced]).toEqual([2, 0]);
  });

  it('are in the lap without a stop where nothing says which', () => {
    const startMs = Date.parse('2026-03-10T03:00:00Z');
    const drift = Array.from({ length: 3000 }, (_, n): Point => {
      const { latitude, longitude } = placeAt(-n * 8, 3000);
      return [startMs + n * 1000, latitude, longitude, 30];
    });
    const event: Boarding = { timeMs: startMs + 1_500_000, direction: 'exited', count: 3 };
    const { laps } = dayOf('2026-03-10', 'Europe/Moscow', drift, [event]);
    expect(laps.map(({ incomplete, exited, unplaced }) => [incomplete, exited, unplaced])).toEqual([
      ['off_route', 3, 3],
    ]);
  });
});

describe('a day on which nobody knows where the bus was', () => {
  // Building its path takes more than a second.
  const tangle: DayRoute = {
    ...route,
    route: {
      ...street,
      stops: Array.from({ length: 1000 }, (_, n) => ({
        ...placeAt(n / 4 - 120, 30),
        id: n + 1,
        direction: n < 500 ? 'FORWARD' : 'REVERSE',
        orderKey: n,
      })),
      track: Array.from({ length: 20_000 }, (_, n) =>
        placeAt(
          (140 * Math.cos(n / 3) * (n % 400)) / 400,
          (140 * Math.sin(n / 3) * (n % 400)) / 400,
        ),
      ),
    },
  };

  it('is worked out at once, however intricate its route is', () => {
    const before = process.threadCpuUsage();
    const day = dayOf('2026-03-10', 'Europe/Moscow', [], [], { route: tangle });
    const { user, system } = process.threadCpuUsage(before);
    expect(day).toEqual({ laps: [], halts: [], settlesAtMs: null });
    if (measuresCost()) expect((user + system) / 1000).toBeLessThan(200);
  });

  it('has everybody who was counted, whatever its route looks like', () => {
    const { startMs, endMs } = dayRange('2026-03-10', 'Europe/Moscow');
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 0, max: 30 }), (seed, count) => {
        const events = eventsWithin(seed, startMs, endMs, count);
        const day = (of: DayRoute) =>
          dayOf('2026-03-10', 'Europe/Moscow', [], events, { route: of });
        expect(day(tangle)).toEqual(day(route));
        const sum = (side: string) =>
          events.reduce((all, one) => all + (one.direction === side ? one.count : 0), 0);
        expect(peopleOf(day(tangle))).toEqual({ entered: sum('entered'), exited: sum('exited') });
      }),
      { numRuns: 20 },
    );
  });
});

it('a day that has not begun has no laps, whatever a fast clock says, and has them once it has begun', () => {
  const { startMs } = dayRange('2026-03-11', 'Europe/Moscow');
  const { points } = drive(street, { seed: 5, startMs: startMs + 22 * HOUR_MS, laps: 1 });
  const before = dayOf('2026-03-11', 'Europe/Moscow', points, [], { nowMs: startMs - HOUR_MS });
  expect(before).toEqual({ laps: [], halts: [], settlesAtMs: startMs });
  const begun = dayOf('2026-03-11', 'Europe/Moscow', points, [], { nowMs: startMs });
  expect(begun.laps.length).toBeGreaterThan(0);
});
