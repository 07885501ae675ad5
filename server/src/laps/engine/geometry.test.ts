// The time to compute a day depends on the number of its records, not on the shape of routes and tracks.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { drive, type Point, placeAt, positionsOf, thereAndBack } from '../../test/drive.ts';
import { measuresCost, triesOf } from '../../test/tries-of.ts';
import { type DayLaps, lapsOfDay } from './day-laps.ts';
import type { Boarding } from './people/attribute.ts';
import { goesOneWay, type Route, type RouteStop } from './route-path.ts';

const START_MS = Date.parse('2026-03-10T00:00:00Z');
const DAY_MS = 86_400_000;
/**
 * An algorithm that steps by metres, or visits every cell of a box, takes minutes or all memory; ours takes tenths of a
 * second.
 */
const LIMIT_S = 5;
const MAX_HEAP_BYTES = 512 * 1024 * 1024;

type Spot = readonly [latitude: number, longitude: number];

const spotAt = (eastM: number, northM: number): Spot => {
  const { latitude, longitude } = placeAt(eastM, northM);
  return [latitude, longitude];
};

function routeOf(
  forward: readonly Spot[],
  reverse: readonly Spot[],
  track: readonly Spot[],
): Route {
  const stopsOf = (spots: readonly Spot[], direction: RouteStop['direction'], from: number) =>
    spots.map(([latitude, longitude], orderKey): RouteStop => {
      return { id: from + orderKey, latitude, longitude, direction, orderKey };
    });
  return {
    stops: [...stopsOf(forward, 'FORWARD', 1), ...stopsOf(reverse, 'REVERSE', 2001)],
    track: track.map(([latitude, longitude]) => ({ latitude, longitude })),
    terminalStopId: null,
    lastTerminalStopId: null,
  };
}

/** Computes the day; expects it within the limits and with every passenger in it once. */
function computeDay(
  route: Route | null,
  points: readonly Point[],
  events: readonly Boarding[] = [],
) {
  const before = process.threadCpuUsage();
  const heapBefore = process.memoryUsage().heapUsed;
  const prices = new Map(route?.stops.map(({ id }) => [`1:${id}`, 100 * id]));
  const day = lapsOfDay({
    startMs: START_MS,
    endMs: START_MS + DAY_MS,
    nowMs: START_MS + DAY_MS,
    positions: positionsOf(points),
    route: route && { routeId: 1, route, places: new Map(), prices, keep: 'entered' },
    events,
  });
  const { user, system } = process.threadCpuUsage(before);
  if (measuresCost()) {
    expect((user + system) / 1e6).toBeLessThan(LIMIT_S);
    expect(process.memoryUsage().heapUsed - heapBefore).toBeLessThan(MAX_HEAP_BYTES);
  }
  const sumOf = (of: (lap: DayLaps['laps'][number]) => number): number =>
    day.laps.reduce((sum, lap) => sum + of(lap), 0);
  const sent = (side: string): number =>
    events.reduce((sum, { direction, count }) => sum + (direction === side ? count : 0), 0);
  expect([sumOf(({ entered }) => entered), sumOf(({ exited }) => exited)]).toEqual([
    sent('entered'),
    sent('exited'),
  ]);
  for (const { stops, entered, exited, unplaced, startMs, endMs } of day.laps) {
    const placed = stops.reduce((sum, stop) => sum + stop.entered + stop.exited, 0);
    expect(placed + unplaced).toBe(entered + exited);
    expect([Number.isFinite(startMs), endMs >= startMs]).toEqual([true, true]);
    for (const { latitude, longitude, load } of stops) {
      expect([latitude, longitude, load].every(Number.isFinite)).toBe(true);
    }
  }
  if (route !== null) expect(typeof goesOneWay(route)).toBe('boolean');
  return day;
}

const street = thereAndBack(
  [
    [0, 0],
    [3000, 0],
  ],
  500,
);
const driven = drive(street, { seed: 3, startMs: START_MS + 60_000, laps: 8 }).points;
const spots = (count: number, at: (n: number) => Spot): Spot[] =>
  Array.from({ length: count }, (_, n) => at(n));
const here = spotAt(0, 0);
const eastwards = (stepM: number) => (n: number) => spotAt(n * stepM, 0);

describe('a day is worked out at once', () => {
  const routes: [string, Route][] = [
    ['whose two stops are at one place', routeOf([here, here], [], [])],
    [
      'whose thousand stops are at one place',
      routeOf(
        spots(500, () => here),
        spots(500, () => here),
        [],
      ),
    ],
    [
      'whose stops and track are at one place',
      routeOf(
        [here, here],
        [],
        spots(2000, () => here),
      ),
    ],
    ['with two stops 30 m apart', routeOf([here, spotAt(30, 0)], [], [])],
    ['with a thousand stops half a metre apart', routeOf(spots(1000, eastwards(0.5)), [], [])],
    [
      'with one stop on the other side of the earth',
      routeOf([...spots(12, eastwards(250)), [-33, 151]], [], []),
    ],
    [
      'of which one stop has latitude and longitude swapped',
      routeOf(
        spots(12, (n) => (n === 5 ? [here[1], here[0]] : eastwards(250)(n))),
        [],
        [],
      ),
    ],
    [
      'of which all track and stops are swapped',
      routeOf(
        street.stops.map(({ latitude, longitude }): Spot => [longitude, latitude]),
        [],
        street.track.map(({ latitude, longitude }): Spot => [longitude, latitude]),
      ),
    ],
    [
      'with a thousand stops and a track of two thousand points, in one street there and back',
      routeOf(
        spots(500, eastwards(6)),
        spots(500, (n) => spotAt(3000 - n * 6, 0)),
        [...spots(1000, eastwards(3)), ...spots(1000, (n) => spotAt(3000 - n * 3, 0))],
      ),
    ],
    [
      'whose track goes to and fro over its stops for ever',
      routeOf(
        spots(1000, eastwards(0.2)),
        [],
        spots(2000, (n) => spotAt(n / 10, n % 2 === 0 ? 200 : -200)),
      ),
    ],
    ['with a track of one point', routeOf(spots(6, eastwards(500)), [], [here])],
    [
      'round the pole',
      routeOf(
        spots(12, (n) => [90 - 0.003 * (n % 2), n * 30 - 180]),
        [],
        spots(100, (n) => [89.99, n * 3.6 - 180]),
      ),
    ],
  ];

  it.each(routes)('on a route %s', (_what, route) => {
    const events = driven
      .filter((_, n) => n % 60 === 0)
      .map(([timeMs], n): Boarding => {
        return { timeMs, direction: n % 2 === 0 ? 'entered' : 'exited', count: 1 };
      });
    computeDay(route, driven, events);
  });

  it('for a bus of which one position is known', () => {
    const { laps } = computeDay(street, driven.slice(0, 1), [
      { timeMs: driven[0]?.[0] ?? 0, direction: 'entered', count: 2 },
    ]);
    expect(laps.map(({ entered }) => entered)).toEqual([2]);
  });

  it('for a bus that goes to and fro over its terminal a thousand times', () => {
    const points = Array.from({ length: 20_000 }, (_, n): Point => {
      return [START_MS + n * 1000, ...spotAt(Math.floor(n / 10) % 2 === 0 ? -200 : 200, 0), 0];
    });
    computeDay(street, points);
  });

  it('for twenty thousand people who were counted while nobody knows where the bus was', () => {
    const events = Array.from({ length: 20_000 }, (_, n): Boarding => {
      return {
        timeMs: START_MS + n * 4000,
        direction: n % 3 === 0 ? 'exited' : 'entered',
        count: 1,
      };
    });
    computeDay(street, [], events);
    computeDay(street, driven, events);
  });
});

describe('a route across the date line', () => {
  it('has the laps that it would have anywhere else, and so has a bus without a route', () => {
    const shift = 180 - (street.stops[0]?.longitude ?? 0) - 0.02;
    const shifted = (longitude: number): number => {
      const there = longitude + shift;
      return there > 180 ? there - 360 : there;
    };
    const moved: Route = {
      ...street,
      stops: street.stops.map((stop) => ({ ...stop, longitude: shifted(stop.longitude) })),
      track: street.track.map((one) => ({ ...one, longitude: shifted(one.longitude) })),
    };
    expect(new Set(moved.stops.map(({ longitude }) => Math.sign(longitude))).size).toBe(2);
    const points = driven.map(([ms, latitude, longitude, speed]): Point => {
      return [ms, latitude, shifted(longitude), speed];
    });
    const events = driven.slice(0, 4000).flatMap(([timeMs], n): Boarding[] => {
      return n % 40 === 0 ? [{ timeMs, direction: 'entered', count: 1 }] : [];
    });
    const seen = ({ laps, halts }: DayLaps) => [
      laps.map((lap) => [lap.incomplete, lap.stops.map((stop) => [stop.stopId, stop.entered])]),
      halts.length,
    ];
    expect(seen(computeDay(moved, points, events))).toEqual(
      seen(computeDay(street, driven, events)),
    );
    expect(seen(computeDay(null, points, events))).toEqual(seen(computeDay(null, driven, events)));
  });
});

describe('whatever routes and tracks look like', () => {
  const anywhere = fc.tuple(
    fc.double({ min: -90, max: 90, noNaN: true }),
    fc.double({ min: -180, max: 180, noNaN: true }),
  );
  const inTown = fc
    .tuple(fc.integer({ min: -5000, max: 5000 }), fc.integer({ min: -5000, max: 5000 }))
    .map(([east, north]): Spot => spotAt(east, north));
  const close = fc
    .tuple(fc.integer({ min: -80, max: 80 }), fc.integer({ min: -80, max: 80 }))
    .map(([east, north]): Spot => spotAt(east, north));
  const edge = fc.constantFrom<Spot>(
    [90, 0],
    [-90, 180],
    [0, 180],
    [0, -180],
    [37.61, 55.75],
    here,
  );
  const spot = fc.oneof(anywhere, inTown, close, edge);
  /** Repeats a short shape: generating thousands of separate points would take long. */
  const line = (most: number) =>
    fc
      .tuple(fc.array(spot, { maxLength: 30 }), fc.integer({ min: 0, max: most }), fc.boolean())
      .map(([few, count, isBent]): Spot[] =>
        few.length === 0
          ? []
          : spots(count, (n) => {
              const [latitude, longitude] = few[n % few.length] as Spot;
              const bent = isBent ? 0.003 * Math.sin(n / 7) : 0;
              return [Math.max(-90, Math.min(90, latitude + bent)), longitude];
            }),
      );
  const track = fc
    .tuple(line(3000), fc.integer({ min: 1, max: 40 }), fc.constantFrom(0, 30, Number.NaN))
    .map(([places, seconds, speed]) =>
      places.map(([latitude, longitude], n): Point => {
        return [START_MS + n * seconds * 1000, latitude, longitude, speed];
      }),
    );
  const people = fc.array(
    fc.record({
      timeMs: fc.integer({ min: START_MS, max: START_MS + DAY_MS - 1 }),
      direction: fc.constantFrom('entered' as const, 'exited' as const),
      count: fc.integer({ min: -2, max: 9 }),
    }),
    { maxLength: 60 },
  );

  it('a day is worked out within the limit, and everybody is in it once', () => {
    fc.assert(
      fc.property(
        line(500),
        line(500),
        line(2000),
        track,
        people,
        (there, back, way, points, events) => {
          computeDay(routeOf(there, back, way), points, events);
        },
      ),
      { numRuns: triesOf(30) },
    );
  }, 120_000);
});

it('a shuttle that never leaves the neighbourhood of its terminal is computed within the limits', () => {
  const legM = 800;
  const shuttle = thereAndBack(
    [
      [0, 0],
      [legM, 0],
    ],
    400,
  );
  const points = Array.from({ length: 86_400 }, (_, n): Point => {
    const along = (n * 14) % (2 * legM);
    const [latitude, longitude] = spotAt(along < legM ? along : 2 * legM - along, 0);
    return [START_MS + n * 1000, latitude, longitude, Number.NaN];
  });
  const { laps } = computeDay(shuttle, points);
  expect(laps.length).toBeGreaterThan(700);
});
