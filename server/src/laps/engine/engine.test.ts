import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Driven as Drive,
  drive,
  type Point,
  placeAt,
  positionsOf,
  randomOf,
  roundTrip,
  thereAndBack,
} from '../../test/drive.ts';
import { type Driven, followBus, type Lap } from './engine.ts';
import type { Route } from './route-path.ts';

const START_MS = Date.parse('2026-03-10T03:00:00Z');
const MINUTE_MS = 60_000;
/** A street with two corners. */
const street = thereAndBack(
  [
    [0, 0],
    [2500, 0],
    [2500, 1500],
    [4000, 1500],
  ],
  500,
);
/** A figure of eight: it crosses itself in the middle. */
const eight = roundTrip(
  [
    [0, 0],
    [1500, 1500],
    [1500, 0],
    [0, 1500],
    [-800, 700],
  ],
  450,
);

const follow = (route: Route | null, points: readonly Point[]): Driven =>
  followBus(positionsOf(points), route, []);

const everySeconds = (points: readonly Point[], seconds: number): Point[] =>
  points.filter((_, index) => index % seconds === 0);

const whole = (driven: Driven): Lap[] => driven.laps.filter((lap) => lap.incomplete === null);

/** The share of true stays whose arrival was found within a minute. */
function foundShare(driven: Driven, truth: Drive): number {
  let found = 0;
  let all = 0;
  for (const { startMs, stays } of truth.laps) {
    const lap = driven.laps.find((one) => Math.abs(one.startMs - startMs) < 5 * MINUTE_MS);
    for (const [index, stay] of stays.entries()) {
      if (stay === null || index === 0) continue;
      all += 1;
      const arrival = lap?.visits[index]?.arrivalMs ?? 0;
      if (arrival >= stay[0] - MINUTE_MS && arrival <= stay[1] + MINUTE_MS) found += 1;
    }
  }
  return found / all;
}

describe('laps of a route that runs both ways along one street', () => {
  const truth = drive(street, { seed: 1, startMs: START_MS, laps: 5, skip: 0.1 });

  it.each([1, 5, 10, 30, 60])('are found from a fix every %d s', (seconds) => {
    const driven = follow(street, everySeconds(truth.points, seconds));
    expect(whole(driven)).toHaveLength(5);
    for (const [n, lap] of driven.laps.entries()) {
      expect(Math.abs(lap.startMs - (truth.laps[n]?.startMs ?? 0))).toBeLessThan(MINUTE_MS + 1);
      expect(lap.legs.map((leg) => leg.direction)).toEqual(['FORWARD', 'REVERSE']);
    }
    expect(foundShare(driven, truth)).toBeGreaterThanOrEqual(seconds >= 30 ? 0.9 : 0.95);
  });

  it('end when the bus next leaves the terminal; the last one is open while it stands there', () => {
    const { laps } = follow(street, truth.points);
    for (const [n, lap] of laps.entries()) {
      const next = laps[n + 1];
      if (next !== undefined) expect([lap.endMs, lap.standsSinceMs]).toEqual([next.startMs, null]);
    }
    expect(laps.at(-1)?.standsSinceMs).toBeGreaterThan(truth.laps[4]?.startMs ?? Infinity);
  });

  it('name each stop in order, those that were driven past without an arrival and with the reason', () => {
    const { laps } = follow(street, truth.points);
    for (const [n, lap] of laps.entries()) {
      const stays = truth.laps[n]?.stays ?? [];
      expect(lap.visits.map((visit) => visit.stop.id)).toEqual([
        ...Array.from({ length: stays.length / 2 }, (_, k) => 1 + k),
        ...Array.from({ length: stays.length / 2 }, (_, k) => 101 + k),
      ]);
      for (const [index, stay] of stays.entries()) {
        const visit = lap.visits[index];
        if (stay === null) expect([visit?.arrivalMs, visit?.skipped]).toEqual([null, 'passed']);
        else
          expect([visit?.skipped, ['halt', 'slow']]).toEqual([
            null,
            expect.arrayContaining([visit?.evidence]),
          ]);
      }
    }
  });

  it('stand noise of 15 m, jumps, repeats and disorder', () => {
    const noisy = drive(street, { seed: 2, startMs: START_MS, laps: 4, noiseM: 15 });
    const random = randomOf(3);
    const dirty = noisy.points.flatMap((point): Point[] => {
      const dice = random();
      if (dice < 0.02) return [];
      if (dice < 0.04) return [point, point];
      if (dice < 0.045) return [[point[0], point[1] + 0.05, point[2] - 0.05, point[3]]];
      return [point];
    });
    dirty.sort(() => random() - 0.5);
    const driven = follow(street, dirty);
    expect(whole(driven)).toHaveLength(4);
    expect(foundShare(driven, noisy)).toBeGreaterThanOrEqual(0.95);
  });

  it('are found without a track, from stop to stop', () => {
    const driven = follow({ ...street, track: [] }, everySeconds(truth.points, 10));
    expect(whole(driven)).toHaveLength(5);
    expect(foundShare(driven, truth)).toBeGreaterThanOrEqual(0.95);
  });

  it('begin at the bus’s own terminal when it has one', () => {
    const middle = street.stops[6];
    const driven = follow({ ...street, terminalStopId: middle?.id ?? null }, truth.points);
    expect(driven.laps.map((lap) => lap.incomplete)).toEqual([
      'no_departure',
      null,
      null,
      null,
      null,
      'no_arrival',
    ]);
    expect(driven.laps[1]?.visits[0]?.stop.id).toBe(middle?.id);
  });
});

describe('laps of a route that names only the way there', () => {
  const there: Route = {
    ...street,
    stops: street.stops.filter(({ direction }) => direction === 'FORWARD'),
    track: street.track.slice(0, 4),
  };
  const truth = drive(street, { seed: 12, startMs: START_MS, laps: 4 });

  it.each([
    ['its track', there],
    ['the track of both ways', { ...there, track: street.track }],
    ['stops alone', { ...there, track: [] }],
  ])('with %s go on until the bus is back and leaves again', (_what, route) => {
    for (const seconds of [1, 10, 30]) {
      const { laps } = follow(route, everySeconds(truth.points, seconds));
      expect(laps.map((lap) => lap.incomplete)).toEqual([null, null, null, null]);
      for (const [n, lap] of laps.entries()) {
        expect(Math.abs(lap.startMs - (truth.laps[n]?.startMs ?? 0))).toBeLessThan(MINUTE_MS + 1);
        expect(lap.legs.map((leg) => leg.direction)).toEqual(['FORWARD']);
        expect(lap.visits.every((visit) => visit.arrivalMs !== null)).toBe(true);
      }
    }
  });
});

describe('what is not a whole lap', () => {
  const truth = drive(street, { seed: 4, startMs: START_MS, laps: 3 });

  it('is an edge before the first departure and after the last arrival', () => {
    const first = truth.laps[0]?.startMs ?? 0;
    const last = truth.laps[2]?.startMs ?? 0;
    const points = truth.points.filter(
      ([ms]) => ms > first + 8 * MINUTE_MS && ms < last + 8 * MINUTE_MS,
    );
    const { laps } = follow(street, points);
    expect(laps.map((lap) => lap.incomplete)).toEqual(['no_departure', null, 'no_arrival']);
  });

  it('is a drive to the depot', () => {
    const endMs = truth.points.at(-1)?.[0] ?? 0;
    const away = Array.from({ length: 600 }, (_, n): Point => {
      const place = placeAt(-n * 8, -n * 3);
      return [endMs + (n + 1) * 1000, place.latitude, place.longitude, 30];
    });
    const { laps } = follow(street, [...truth.points, ...away]);
    expect(laps.map((lap) => lap.incomplete)).toEqual([null, null, null, 'off_route']);
  });

  it('is a drive to the depot between two laps, also along the first street of the route', () => {
    const square = roundTrip(
      [
        [0, 0],
        [2500, 0],
        [2500, 2500],
        [0, 2500],
      ],
      400,
    );
    const early = drive(square, { seed: 4, startMs: START_MS, laps: 2 });
    const leavesMs = early.points.at(-1)?.[0] ?? 0;
    const out = Array.from({ length: 150 }, (_, n) =>
      placeAt(Math.min(n, 42) * 8, -Math.max(n - 42, 0) * 8),
    );
    const stand = Array.from({ length: 1800 }, () => placeAt(336, -856));
    const there = [...out, ...stand, ...out.toReversed()].map(
      ({ latitude, longitude }, n): Point => [leavesMs + (n + 1) * 1000, latitude, longitude, 25],
    );
    const late = drive(square, { seed: 5, startMs: (there.at(-1)?.[0] ?? 0) + 1000, laps: 2 });
    const driven = follow(square, [...early.points, ...there, ...late.points]);
    const starts = [...early.laps, ...late.laps].map(({ startMs }) => startMs);
    expect(whole(driven)).toHaveLength(starts.length);
    for (const [n, lap] of whole(driven).entries()) {
      expect(Math.abs(lap.startMs - (starts[n] ?? 0))).toBeLessThan(MINUTE_MS);
    }
  });

  it('is not one whose terminal lay in a street without reception', () => {
    const passedMs = truth.laps[1]?.startMs ?? 0;
    const points = truth.points.filter(
      ([ms]) => ms < passedMs - 6 * MINUTE_MS || ms > passedMs + 2 * MINUTE_MS,
    );
    const { laps } = follow(street, points);
    expect(laps.map((lap) => lap.incomplete)).toEqual([null, null, null]);
    expect(Math.abs((laps[1]?.startMs ?? 0) - passedMs)).toBeLessThan(5 * MINUTE_MS);
  });

  it('is a round that turned before the far terminal', () => {
    const path = truth.laps[1];
    const far = path?.stays[10];
    const near = path?.stays[8];
    const back = path?.stays[14];
    expect([far, near, back]).not.toContain(undefined);
    const cut = truth.points.filter(([ms]) => ms <= (near?.[1] ?? 0) || ms >= (back?.[0] ?? 0));
    const gapMs = (back?.[0] ?? 0) - (near?.[1] ?? 0) - 30_000;
    const points = cut.map(
      ([ms, ...rest]): Point => [ms > (near?.[1] ?? 0) ? ms - gapMs : ms, ...rest],
    );
    const { laps } = follow(street, points);
    expect(laps.map((lap) => lap.incomplete)).toEqual([null, 'short_turn', null]);
    const skipped = laps[1]?.visits.filter((visit) => visit.arrivalMs === null) ?? [];
    expect(skipped.map((visit) => visit.skipped)).toEqual(skipped.map(() => 'not_driven'));
  });

  it('is a day without a route: one lap', () => {
    const { laps } = follow(null, truth.points);
    expect(laps.map(({ incomplete, visits }) => [incomplete, visits])).toEqual([['no_route', []]]);
  });

  it('is a bus parked with drift: no lap, one halt', () => {
    const random = randomOf(5);
    const parked = Array.from({ length: 3 * 3600 }, (_, n): Point => {
      const place = placeAt(20 * Math.sin(n / 900) + 6 * random(), 20 * Math.cos(n / 700));
      return [START_MS + n * 1000, place.latitude, place.longitude, 0];
    });
    const { laps, halts } = follow(street, parked);
    expect(laps).toEqual([]);
    expect(halts.length).toBeLessThan(12);
  });
});

describe('a circular route that crosses itself', () => {
  const truth = drive(eight, { seed: 6, startMs: START_MS, laps: 4, layoverS: 120 });

  it.each([1, 15])('is followed round from a fix every %d s', (seconds) => {
    const driven = follow(eight, everySeconds(truth.points, seconds));
    expect(driven.laps.map((lap) => lap.incomplete)).toEqual([null, null, null, null]);
    expect(driven.laps.flatMap((lap) => lap.legs.map((leg) => leg.direction))).toEqual(
      Array.from({ length: 4 }, () => 'FORWARD'),
    );
    expect(foundShare(driven, truth)).toBeGreaterThanOrEqual(0.95);
  });

  it('is followed round without a pause at its terminal', () => {
    const hasty = drive(eight, { seed: 7, startMs: START_MS, laps: 4, layoverS: 1 });
    expect(whole(follow(eight, hasty.points))).toHaveLength(4);
  });
});

describe('a route with a stop in a wrong place of its order', () => {
  const square = roundTrip(
    [
      [0, 0],
      [2500, 0],
      [2500, 2500],
      [0, 2500],
    ],
    500,
  );
  const truth = drive(square, { seed: 9, startMs: START_MS, laps: 4 });
  const astray = square.stops.map((stop) =>
    stop.orderKey === 5 ? { ...stop, orderKey: 99 } : stop,
  );

  it.each([
    ['with its track', square.track],
    ['from stop to stop', []],
  ])('is not driven twice round %s', (_what, track) => {
    const { laps } = follow({ ...square, track, stops: astray }, truth.points);
    expect(laps.map((lap) => lap.incomplete)).toEqual([null, null, null, null]);
  });
});

describe('what a bus did', () => {
  const truth = drive(street, { seed: 8, startMs: START_MS, laps: 2, skip: 0.2 });
  const points = everySeconds(truth.points, 7);
  const expected = follow(street, points);

  it('does not depend on the order in which positions arrived, nor on how often', () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const random = randomOf(seed);
        const shuffled = [...points, ...points.filter(() => random() < 0.1)];
        for (let n = shuffled.length - 1; n > 0; n -= 1) {
          const other = Math.floor(random() * (n + 1));
          [shuffled[n], shuffled[other]] = [shuffled[other] as Point, shuffled[n] as Point];
        }
        expect(follow(street, shuffled)).toEqual(expected);
      }),
      { numRuns: 20 },
    );
  });

  it('has each moment in one lap at most, in order of time', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 1e6 }),
        fc.integer({ min: 1, max: 40 }),
        (seed, step) => {
          const random = randomOf(seed);
          const some = drive(street, { seed, startMs: START_MS, laps: 2, noiseM: 25, skip: 0.5 });
          const dirty = everySeconds(some.points, step).filter(() => random() < 0.7);
          const { laps, halts } = follow(street, dirty);
          for (const list of [laps, halts]) {
            for (const [n, one] of list.entries()) {
              expect(one.endMs).toBeGreaterThanOrEqual(one.startMs);
              expect(one.startMs).toBeGreaterThanOrEqual(list[n - 1]?.endMs ?? 0);
            }
          }
          for (const { visits } of laps) {
            let before = 0;
            for (const { arrivalMs, departureMs } of visits) {
              if (arrivalMs === null || departureMs === null) continue;
              expect(departureMs).toBeGreaterThanOrEqual(arrivalMs);
              expect(arrivalMs).toBeGreaterThanOrEqual(before);
              before = arrivalMs;
            }
          }
        },
      ),
      { numRuns: 30 },
    );
  });
});
