import { beforeEach, describe, expect, it } from 'vitest';
import { type Driven as Drive, drive, type Point, pathOf, positionsOf } from '../../test/drive.ts';
import {
  commonTrip,
  readGtfs,
  readLoop,
  sampleRows,
  samples,
  type Trip,
} from '../../test/samples.ts';
import { lapsOfDay } from './day-laps.ts';
import type { DayRoute } from './day-route.ts';
import { followBus, type Lap } from './engine.ts';
import type { Boarding } from './people/attribute.ts';
import { buildPath, type Route } from './route-path.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const washington = 'avl/avl_wmata_2016';

/** Scores of simulated laps along a real line, whose truth is known. */
interface Score {
  laps: number;
  found: number;
  falseLaps: number;
  wrongWay: number;
  calls: number;
  inTime: number;
}

function score(into: Score, route: Route, laps: readonly Lap[], truth: Drive): void {
  const { stops, turnAt } = pathOf(route);
  const whole = laps.filter(({ incomplete }) => incomplete === null);
  for (const [n, { startMs, stays }] of truth.laps.entries()) {
    const endMs = truth.laps[n + 1]?.startMs ?? truth.points.at(-1)?.[0] ?? 0;
    const lap = whole.find(
      (one) =>
        Math.abs(one.startMs - startMs) <= 5 * MINUTE_MS &&
        Math.abs(one.endMs - endMs) <= 5 * MINUTE_MS,
    );
    into.laps += 1;
    into.found += lap === undefined ? 0 : 1;
    for (const [index, stay] of stays.entries()) {
      if (stay === null || index === 0) continue;
      const [fromMs, toMs] = stay;
      const visit = lap?.visits[index];
      const arrivalMs = visit?.arrivalMs ?? Number.NaN;
      into.calls += 1;
      if (arrivalMs >= fromMs - MINUTE_MS && arrivalMs <= toMs + MINUTE_MS) into.inTime += 1;
      const leg = lap?.legs.find((one) => fromMs >= one.startMs && toMs <= one.endMs);
      // At the far terminal one stay ends a leg and begins the next.
      if (Math.abs((stops[index]?.at ?? 0) - (turnAt ?? 0)) < 300) continue;
      if (leg !== undefined && visit !== undefined && leg.direction !== visit.stop.direction) {
        into.wrongWay += 1;
      }
    }
  }
  into.falseLaps += whole.filter(
    ({ startMs }) => !truth.laps.some((one) => Math.abs(one.startMs - startMs) <= 5 * MINUTE_MS),
  ).length;
}

const every = (points: readonly Point[], seconds: number): Point[] =>
  points.filter((_, n) => n % seconds === 0);

beforeEach(({ skip }) => skip(!samples.areThere, `${samples.folder} is not there`));

describe(`real lines of ${samples.folder}`, () => {
  const lines: [string, () => Route][] = ['3T', '5A', 'S2'].map((name) => [
    `Washington ${name}`,
    () => {
      const gtfs = readGtfs(`${washington}/gtfs_wmata_${name}.zip`);
      return gtfs.route(commonTrip(gtfs, 'FORWARD'), commonTrip(gtfs, 'REVERSE'));
    },
  ]);
  lines.push(
    ['Moscow 156', () => readLoop('routes/moscow/156.json', 24)],
    ['Moscow 670к', () => readLoop('routes/moscow/670к.json', 9)],
  );

  const ways: [string, (route: Route) => Route][] = [
    ['with its track', (route) => route],
    ['from stop to stop', (route) => ({ ...route, track: [] })],
  ];

  it.each(
    lines.flatMap(([name, routeOf]) =>
      ways.map(([way, seen]) => [name, way, routeOf, seen] as const),
    ),
  )(
    '%s %s: laps, their directions and arrivals are found at 1 to 30 s and 10 m of noise',
    (_name, _way, routeOf, seen) => {
      const route = routeOf();
      const sum: Score = { laps: 0, found: 0, falseLaps: 0, wrongWay: 0, calls: 0, inTime: 0 };
      for (const [seed, seconds] of [1, 10, 20, 30].entries()) {
        const truth = drive(route, { seed, startMs: DAY_MS, laps: 3, noiseM: 10, skip: 0.15 });
        const driven = followBus(positionsOf(every(truth.points, seconds)), seen(route), []);
        score(sum, route, driven.laps, truth);
      }
      expect(sum.falseLaps).toBe(0);
      // Only the track distinguishes parallel streets with certainty.
      expect(sum.wrongWay / sum.calls).toBeLessThanOrEqual(seen(route) === route ? 0 : 0.01);
      expect(sum.found / sum.laps).toBeGreaterThanOrEqual(0.95);
      expect(sum.inTime / sum.calls).toBeGreaterThanOrEqual(0.85);
    },
  );

  it('a loop is closed and turns at its far terminal', () => {
    for (const [name, turn] of [
      ['156', 24],
      ['670к', 9],
    ] as const) {
      const path = buildPath(readLoop(`routes/moscow/${name}.json`, turn));
      expect([name, path?.closed, path?.straight]).toEqual([name, true, false]);
      expect(path?.turnAt).toBe(path?.stops[turn]?.at);
    }
  });
});

describe(`real traces of ${samples.folder}`, () => {
  /** Wall time on the trace's day as ms since 1970; the zone does not matter. */
  const momentOf = (text: string): number => Date.parse(`${text.replace(' ', 'T')}Z`);

  it.each([
    ['3T', '3T_3757.csv'],
    ['5A', '5A_8062.csv'],
    ['5A', '5A_8087_2016-04-21.csv'],
    ['S2', 'S2_2113.csv'],
  ])(
    'Washington %s, %s: the trips of the block in their direction, no lap that was not',
    (line, file) => {
      const rows = sampleRows(`${washington}/${file}`);
      const gtfs = readGtfs(`${washington}/gtfs_wmata_${line}.zip`);
      const day = (rows[0]?.time ?? '').slice(0, 10);
      const services = gtfs.services(day.replaceAll('-', ''));
      const points = rows.map(
        (row): Point => [
          momentOf(row.time ?? ''),
          Number(row.latitude),
          Number(row.longitude),
          Number.NaN,
        ],
      );
      const fromMs = points[0]?.[0] ?? 0;
      const toMs = points.at(-1)?.[0] ?? 0;
      const spanOf = ({ stops }: Trip): [number, number] => [
        momentOf(`${day} ${stops[0]?.arrival}`),
        momentOf(`${day} ${stops.at(-1)?.arrival}`),
      ];
      const driven = gtfs.trips.filter((trip) => {
        const [startMs, endMs] = spanOf(trip);
        const isOwn = trip.block === rows[0]?.assignmentId && services.has(trip.service);
        return isOwn && startMs < toMs && endMs > fromMs;
      });
      expect(driven.length).toBeGreaterThan(0);
      const of = (direction: Trip['direction']): Trip =>
        driven.find((trip) => trip.direction === direction) ?? commonTrip(gtfs, direction);
      const route = gtfs.route(of('FORWARD'), of('REVERSE'));
      for (const one of [route, { ...route, track: [] }]) {
        const { laps } = followBus(positionsOf(points), one, []);
        expect(laps.filter(({ incomplete }) => incomplete === null)).toEqual([]);
        // Buses are some minutes late; the middle of a trip is certainly driven in its direction.
        for (const trip of driven) {
          const [startMs, endMs] = spanOf(trip);
          const middleMs = (Math.max(startMs, fromMs) + Math.min(endMs, toMs)) / 2;
          if (Math.min(endMs, toMs) - Math.max(startMs, fromMs) < 10 * MINUTE_MS) continue;
          const legs = laps.flatMap((lap) => lap.legs);
          const leg = legs.find((span) => middleMs >= span.startMs && middleMs < span.endMs);
          expect(leg?.direction).toBe(trip.direction);
        }
      }
    },
  );

  it('Helsinki: everybody is at the stop that the operator says, at a terminal by the operator’s rule', () => {
    const pings = sampleRows('counts/hsl/pings.csv');
    const counts = sampleRows('counts/hsl/apc_in.csv');
    const expected = sampleRows('counts/hsl/expected_attribution.csv');
    const stops = sampleRows('counts/hsl/stops_derived.csv');
    for (const scenario of new Set(counts.map((row) => row.scenario))) {
      const mine = <T extends { scenario?: string }>(rows: readonly T[]): T[] =>
        rows.filter((row) => row.scenario === scenario);
      const seen = mine(pings).flatMap((row): Point[] =>
        row.lat === ''
          ? []
          : [
              [
                Date.parse(row.tst_utc ?? ''),
                Number(row.lat),
                Number(row.lon),
                Number(row.speed_mps) * 3.6,
              ],
            ],
      );
      const points = drivenOn(seen);
      const events = mine(counts).flatMap((row): Boarding[] =>
        (['entered', 'exited'] as const).map((direction) => ({
          timeMs: Date.parse(row.tst_utc ?? ''),
          direction,
          count: Number(row[direction]),
        })),
      );
      const lines = new Set(mine(expected).map((row) => row.route));
      const route = routeThrough(
        stops.filter((row) => lines.has(row.route)),
        points,
      );
      const { laps } = lapsOfDay({
        startMs: (points[0]?.[0] ?? 0) - DAY_MS,
        endMs: (points.at(-1)?.[0] ?? 0) + DAY_MS,
        nowMs: (points.at(-1)?.[0] ?? 0) + DAY_MS,
        positions: positionsOf(points),
        events: events.filter(({ count }) => count > 0),
        route,
      });
      const found = laps.flatMap((lap) => lap.stops);
      for (const row of mine(expected)) {
        const direction = row.dir === '1' ? 'FORWARD' : 'REVERSE';
        const stop = found.filter((one) => one.name === row.stop_id && one.direction === direction);
        const sum = (side: 'entered' | 'exited') =>
          stop.reduce((total, one) => total + one[side], 0);
        expect([row.stop_id, direction, sum('entered'), sum('exited')]).toEqual([
          row.stop_id,
          direction,
          Number(row.entered),
          Number(row.exited),
        ]);
      }
      expect(laps.map(({ unplaced }) => unplaced)).toEqual(laps.map(() => 0));
    }
  });
});

// The traces show a bus only near its stops, so the drive to the first one and from the last one is added.
function drivenOn(seen: readonly Point[]): Point[] {
  const first = seen[0] as Point;
  const last = seen.at(-1) as Point;
  const away = Array.from({ length: 60 }, (_, n) => n + 1);
  return [
    ...away.map((n): Point => [first[0] - n * 1000, first[1] - n * 1e-4, first[2], 40]).reverse(),
    ...seen,
    ...away.map((n): Point => [last[0] + n * 1000, last[1] - n * 1e-4, last[2], 40]),
  ];
}

// The stops of the sample with their directions; the ends of the trace become the stops before and after them.
function routeThrough(rows: readonly Record<string, string>[], points: readonly Point[]): DayRoute {
  const known = ['1', '2'].map((dir) =>
    rows
      .filter((row) => row.dir === dir)
      .map((row) => ({
        name: row.stop_id ?? '',
        latitude: Number(row.lat),
        longitude: Number(row.lon),
      })),
  );
  const endOf = (point: Point | undefined) => ({
    name: 'end',
    latitude: point?.[1] ?? 0,
    longitude: point?.[2] ?? 0,
  });
  const there = [endOf(points[0]), ...(known[0] ?? [])];
  const back = [...(known[1] ?? []), endOf(points.at(-1))];
  const all = [
    ...there.map((stop) => ({ ...stop, direction: 'FORWARD' as const })),
    ...back.map((stop) => ({ ...stop, direction: 'REVERSE' as const })),
  ].map((stop, index) => ({ ...stop, id: index + 1, orderKey: index }));
  return {
    routeId: 1,
    route: { stops: all, track: [], terminalStopId: null, lastTerminalStopId: null },
    places: new Map(all.map(({ id, name }) => [id, { name, classifierId: id }])),
    prices: null,
    keep: 'entered',
  };
}
