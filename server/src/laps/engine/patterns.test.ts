// A route with a long and a short pattern, driven as real lines drive both on one day.
import { describe, expect, it } from 'vitest';
import { type Driven, drive, placeAt, positionsOf, thereAndBack } from '../../test/drive.ts';
import { type DayInput, lapsOfDay } from './day-laps.ts';
import type { DayRoute } from './day-route.ts';
import type { Boarding } from './people/attribute.ts';
import type { Route } from './route-path.ts';

const START_MS = Date.parse('2026-03-10T06:00:00Z');
const END_MS = START_MS + 86_400_000;
/** Ten kilometres, a stop each 500 m: 1 to 21 there, 101 to 121 back. */
const long = thereAndBack(
  [
    [0, 0],
    [4000, 0],
    [4000, 6000],
  ],
  500,
);

/** The pattern of some stops of the route, and the street that its buses drive. */
function part(isIn: (fromStart: number) => boolean): Route {
  const stops = long.stops.filter(({ direction, orderKey }) =>
    isIn(direction === 'FORWARD' ? orderKey : 20 - orderKey),
  );
  const legs = (['FORWARD', 'REVERSE'] as const).flatMap((direction) =>
    stops.filter((stop) => stop.direction === direction),
  );
  return { ...long, stops, track: legs };
}

/** To the corner and back; from the corner on, to the far end and back; stops each kilometre only. */
const short = part((n) => n <= 8);
const outer = part((n) => n >= 8);
const express = part((n) => n % 4 === 0);

const dayRoute = (...further: readonly (readonly [name: string, route: Route])[]): DayRoute => ({
  routeId: 1,
  route: long,
  patterns: [
    { id: 1, name: 'long', stops: long.stops, track: [] },
    ...further.map(([name, { stops }], n) => ({ id: n + 2, name, stops, track: [] })),
  ],
  places: new Map(long.stops.map(({ id }) => [id, { name: `${id}`, classifierId: id }])),
  prices: new Map([
    ['1:9', 3000],
    ['1:21', 5000],
  ]),
  keep: 'entered',
});

/** Drives laps of patterns one after the other, with the way from one first stop to the next. */
function driveAll(
  routes: readonly Route[],
  layoverS = 240,
): { points: Driven['points']; laps: Driven['laps'][number][] } {
  const points: Driven['points'] = [];
  const laps: Driven['laps'][number][] = [];
  for (const [n, route] of routes.entries()) {
    const startMs = (points.at(-1)?.[0] ?? START_MS + 600_000) + 1000;
    const driven = drive(route, { seed: n + 1, startMs, laps: 1, layoverS });
    for (const point of driven.points) points.push(point);
    laps.push(...driven.laps);
  }
  return { points, laps };
}

const dayOf = (
  points: Driven['points'],
  route: DayRoute,
  more: Partial<DayInput> = {},
): ReturnType<typeof lapsOfDay> =>
  lapsOfDay({
    startMs: START_MS,
    endMs: END_MS,
    nowMs: END_MS,
    positions: positionsOf(points),
    route,
    events: [],
    ...more,
  });

const shownOf = (points: Driven['points'], route: DayRoute, more?: Partial<DayInput>) =>
  dayOf(points, route, more).laps.map(
    ({ pattern, incomplete }) => `${pattern?.name ?? '-'} ${incomplete ?? 'complete'}`,
  );

describe('a day with long and short runs', () => {
  const { points, laps: truth } = driveAll([long, short, short, long, short, long]);

  it('has complete laps, each of the pattern that was driven', () => {
    expect(shownOf(points, dayRoute(['short', short]))).toEqual([
      'long complete',
      'short complete',
      'short complete',
      'long complete',
      'short complete',
      'long complete',
    ]);
  });

  it('has incomplete laps with one pattern only', () => {
    const shown = shownOf(points, { ...dayRoute(), patterns: [] });
    expect(shown.filter((one) => one === '- short_turn')).toHaveLength(3);
  });

  it('lists the stops of the pattern, all of them visited at the time of the stay', () => {
    const { laps } = dayOf(points, dayRoute(['short', short]));
    for (const [n, { pattern, stops, startMs }] of laps.entries()) {
      const route = pattern?.name === 'short' ? short : long;
      // A closed path ends at its first stop, once more.
      const ids = stops.map(({ stopId }) => stopId);
      expect(ids.slice(0, route.stops.length)).toEqual(route.stops.map(({ id }) => id));
      expect(stops.filter(({ arrivalMs }) => arrivalMs === null)).toEqual([]);
      expect(Math.abs(startMs - (truth[n]?.startMs ?? 0))).toBeLessThan(60_000);
      for (const [k, stay] of (truth[n]?.stays ?? []).entries()) {
        // The last stop there and the first one back are one place, and the bus stands there once.
        if (stay === null || k === 0 || k === route.stops.length / 2) continue;
        expect(Math.abs((stops[k]?.arrivalMs ?? 0) - stay[0])).toBeLessThan(60_000);
      }
    }
  });

  it('books passengers to the stops of the pattern: load, and revenue by the prices of the route', () => {
    const rides = (lap: number, to: number): Boarding[] => {
      const stays = truth[lap]?.stays ?? [];
      const at = (stop: number): number => (stays[stop]?.[0] ?? 0) + 5000;
      return [
        { timeMs: at(0), direction: 'entered', count: 3 },
        { timeMs: at(to), direction: 'exited', count: 3 },
      ];
    };
    const events = [...rides(1, 8), ...rides(3, 20)];
    const { laps } = dayOf(points, dayRoute(['short', short]), { events });
    expect(laps.map((lap) => [lap.entered, lap.maxLoad, lap.revenueKopecks, lap.noPrice])).toEqual([
      [0, 0, 0, 0],
      [3, 3, 9000, 0],
      [0, 0, 0, 0],
      [3, 3, 15_000, 0],
      [0, 0, 0, 0],
      [0, 0, 0, 0],
    ]);
    const exited = laps.flatMap(({ stops }) => stops.filter((stop) => stop.exited > 0));
    expect(exited.map(({ stopId }) => stopId)).toEqual([9, 21]);
  });

  it('gives the same laps whatever the order of records and patterns', () => {
    const route = dayRoute(['short', short], ['outer', outer]);
    const other = dayRoute(['outer', outer], ['short', short]);
    const named = (of: DayRoute) =>
      dayOf(points, of).laps.map(({ pattern, ...lap }) => ({ ...lap, pattern: pattern?.name }));
    expect(named(other)).toEqual(named(route));
    expect(dayOf(points.toReversed(), route)).toEqual(dayOf(points, route));
  });

  it('costs the default alone nothing: a route with one pattern has the laps that it had', () => {
    const only = drive(long, { seed: 1, startMs: START_MS + 600_000, laps: 2 });
    const bare = (route: DayRoute) =>
      dayOf(only.points, route).laps.map(({ pattern: _pattern, ...lap }) => lap);
    expect(bare(dayRoute(['short', short]))).toEqual(bare({ ...dayRoute(), patterns: [] }));
  });
});

describe('the pattern of a lap', () => {
  it('is that of the stops where the bus stood, in the same streets', () => {
    const { points } = driveAll([long, express, long, express]);
    expect(shownOf(points, dayRoute(['express', express]))).toEqual([
      'long complete',
      'express complete',
      'long complete',
      'express complete',
    ]);
  });

  it('is the longer one when the bus turned at its end, hardly beyond the end of the default', () => {
    const beyond = (id: number, direction: 'FORWARD' | 'REVERSE', orderKey: number) => {
      return { ...placeAt(4000, 6090), id, direction, orderKey };
    };
    const back = long.stops.filter(({ direction }) => direction === 'REVERSE');
    const stops = [
      ...long.stops.filter(({ direction }) => direction === 'FORWARD'),
      beyond(22, 'FORWARD', 21),
      beyond(100, 'REVERSE', 0),
      ...back.map((stop) => ({ ...stop, orderKey: stop.orderKey + 1 })),
    ];
    const ends = [placeAt(0, 0), placeAt(4000, 0), placeAt(4000, 6090)];
    const longer: Route = { ...long, stops, track: [...ends, ...ends.toReversed()] };
    const { points } = driveAll([longer, long, longer]);
    const route = dayRoute(['longer', longer]);
    const patterns = route.patterns?.map((one) =>
      one.name === 'longer' ? { ...one, track: longer.track } : one,
    );
    expect(shownOf(points, { ...route, ...(patterns && { patterns }) })).toEqual([
      'longer complete',
      'long complete',
      'longer complete',
    ]);
  });

  it('may begin at another terminal than the default one', () => {
    const { points } = driveAll([long]);
    const more = drive(outer, { seed: 5, startMs: START_MS + 5 * 3_600_000, laps: 3 });
    const shown = shownOf([...points, ...more.points], dayRoute(['outer', outer]));
    expect(shown.filter((one) => one.endsWith(' complete'))).toEqual([
      'long complete',
      'outer complete',
      'outer complete',
      'outer complete',
    ]);
  });

  it('does not begin while the bus drives straight on', () => {
    const { points } = driveAll([long, long]);
    // The unit begins to send in the first kilometre: the first lap has no departure.
    const first = points.findIndex(([, , longitude]) => longitude > placeAt(900, 0).longitude);
    const shown = shownOf(points.slice(first), dayRoute(['outer', outer]));
    expect(shown).toEqual(['long no_departure', 'long complete']);
  });

  it('leads by another street along its own track', () => {
    const street = thereAndBack(
      [
        [0, 0],
        [0, 3000],
        [4000, 3000],
      ],
      1000,
    );
    const stops = street.stops.map((stop) => ({ ...stop, id: stop.id + 200 }));
    const detour: Route = { ...street, stops };
    const route = dayRoute(['detour', detour]);
    const patterns = route.patterns?.map((one) =>
      one.name === 'detour' ? { ...one, track: detour.track } : one,
    );
    const { points } = driveAll([long, detour, long]);
    expect(shownOf(points, { ...route, ...(patterns && { patterns }) })).toEqual([
      'long complete',
      'detour complete',
      'long complete',
    ]);
  });

  it('is the default one while nothing tells them apart, and turns with the bus', () => {
    const { points } = driveAll([short]);
    const route = dayRoute(['short', short]);
    const until = (ms: number) => {
      const seen = points.filter(([at]) => at <= ms);
      const { laps } = dayOf(seen, route, { nowMs: ms });
      return laps.map(({ pattern, open }) => `${pattern?.name} ${open ? 'open' : 'ended'}`).at(-1);
    };
    const [first, last] = [points[0]?.[0] ?? 0, points.at(-1)?.[0] ?? 0];
    expect(until(first + (last - first) * 0.4)).toBe('long open');
    expect(until(first + (last - first) * 0.8)).toBe('short open');
  });

  it('is found with fixes a minute apart', () => {
    const { points } = driveAll([long, short, long, short]);
    const rare = points.filter((_, n) => n % 60 === 0);
    expect(shownOf(rare, dayRoute(['short', short]))).toEqual([
      'long complete',
      'short complete',
      'long complete',
      'short complete',
    ]);
  });
});
