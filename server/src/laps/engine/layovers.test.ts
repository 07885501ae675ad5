// Buses spend their layovers near a terminal, hardly ever at its stop. Their ways there belong to no leg.
import { describe, expect, it } from 'vitest';
import { placeAt as placeInMoscow, positionsOf, randomOf, thereAndBack } from '../../test/drive.ts';
import {
  driveWithLayovers,
  type Layover,
  type LayoverDrive,
  type TrueLeg,
} from '../../test/layovers.ts';
import { triesOf } from '../../test/tries-of.ts';
import { lapsOfDay } from './day-laps.ts';
import { followBus, type Leg } from './engine.ts';
import { placeAt } from './geometry/place-at.ts';
import { attributeEvents } from './people/attribute.ts';
import type { Route } from './route-path.ts';

const START_MS = Date.parse('2026-03-10T03:00:00Z');
const DAY_MS = 86_400_000;
const IN_TIME_MS = 120_000;
const DRIVES = triesOf(40);
const LAPS = 4;
const WAYS = ['stop', 'loop', 'dead_end', 'line', 'depot'] as const;

const street = thereAndBack(
  [
    [0, 0],
    [2500, 0],
    [2500, 1500],
    [4000, 1500],
  ],
  500,
);
/** There by one street, back by another; the last stop there and the first one back lie 80 m apart. */
const twoStreets: Route = {
  stops: [
    ...[0, 600, 1200, 1800, 2400, 3000].map((x, n) => stopAt(x, 0, 'FORWARD', n)),
    ...[3000, 2400, 1800, 1200, 600, 0].map((x, n) => stopAt(x, 80, 'REVERSE', n)),
  ],
  track: [
    [0, 0],
    [3000, 0],
    [3000, 80],
    [0, 80],
    [0, 0],
  ].map(([x, y]) => placeInMoscow(x as number, y as number)),
  terminalStopId: null,
  lastTerminalStopId: null,
};

function stopAt(x: number, y: number, direction: 'FORWARD' | 'REVERSE', orderKey: number) {
  const id = orderKey + (direction === 'FORWARD' ? 1 : 101);
  return { ...placeInMoscow(x, y), id, direction, orderKey };
}

/** Legs, those found within two minutes at both ends, events at stops, and those booked to the other direction. */
interface Score {
  legs: number;
  found: number;
  events: number;
  wrong: number;
}

function layoversOf(random: () => number): (terminal: 'first' | 'far', lap: number) => Layover {
  return () => ({
    way: WAYS[Math.floor(random() * WAYS.length)] ?? 'stop',
    metres: 50 + random() * 750,
    standS: 180 + Math.floor(random() * 1000),
    boards: random() < 0.5,
  });
}

const isIn = (legs: readonly Leg[], one: TrueLeg): boolean =>
  legs.some(
    ({ direction, startMs, endMs }) =>
      direction === one.direction &&
      Math.abs(startMs - one.startMs) <= IN_TIME_MS &&
      Math.abs(endMs - one.endMs) <= IN_TIME_MS,
  );

function score(route: Route, seconds: number): Score {
  const sum = { legs: 0, found: 0, events: 0, wrong: 0 };
  for (let seed = 1; seed <= DRIVES; seed += 1) {
    const truth = driveWithLayovers(route, {
      ...{ seed, startMs: START_MS, laps: LAPS, noiseM: 5 },
      layoverAt: layoversOf(randomOf(1000 + seed)),
    });
    const points = truth.points.filter((_, n) => n % seconds === 0);
    const eventsMs = truth.events.map(({ timeMs }) => timeMs);
    const { laps, halts, track } = followBus(positionsOf(points), route, eventsMs);
    const legs = laps.filter(({ incomplete }) => incomplete === null).flatMap((lap) => lap.legs);
    sum.legs += truth.legs.length;
    sum.found += truth.legs.filter((leg) => isIn(legs, leg)).length;
    const given = attributeEvents(laps, halts, truth.events, (ms) => placeAt(track, ms));
    for (const [n, { lap, visit }] of given.entries()) {
      const direction = visit === null ? undefined : laps[lap]?.visits[visit]?.stop.direction;
      sum.events += 1;
      if (direction !== undefined && direction !== truth.events[n]?.leg) sum.wrong += 1;
    }
  }
  return sum;
}

it.each([
  ['one street', street],
  ['two streets', twoStreets],
])(
  'legs between layovers near the terminals begin and end in time, and everybody rides in the right direction: %s',
  (_name, route) => {
    const scores = [1, 5, 15, 30, 60].map((seconds) => ({ seconds, ...score(route, seconds) }));
    for (const { seconds, found, legs } of scores) {
      expect([seconds, found / legs >= (seconds < 60 ? 0.98 : 0.95)]).toEqual([seconds, true]);
    }
    const sumOf = (key: 'wrong' | 'events') => scores.reduce((sum, one) => sum + one[key], 0);
    expect(sumOf('wrong') / sumOf('events')).toBeLessThanOrEqual(1 / 10_000);
  },
);

it.each([150, 300])(
  'a bus that stands at a drop-off stop %d m before the first stop has arrived there',
  (asideM) => {
    const route: Route = {
      ...twoStreets,
      stops: twoStreets.stops.map((one) =>
        one.direction === 'FORWARD'
          ? one
          : stopAt(3000 - one.orderKey * 600, asideM, 'REVERSE', one.orderKey),
      ),
      track: [
        [0, 0],
        [3000, 0],
        [3000, asideM],
        [0, asideM],
        [0, 0],
      ].map(([x, y]) => placeInMoscow(x as number, y as number)),
    };
    const truth = driveWithLayovers(route, {
      ...{ seed: 1, startMs: START_MS, laps: 3, noiseM: 5, dropOffS: 900 },
      layoverAt: () => ({ way: 'stop', metres: 0, standS: 60, boards: true }),
    });
    const { laps } = followBus(positionsOf(truth.points), route, []);
    const whole = laps.filter(({ incomplete }) => incomplete === null);
    expect(whole).toHaveLength(3);
    for (const leg of truth.legs)
      expect(
        isIn(
          whole.flatMap((lap) => lap.legs),
          leg,
        ),
      ).toBe(true);
    for (const { visits } of whole) {
      const arrivals = visits.flatMap(({ arrivalMs }) => arrivalMs ?? []);
      expect(arrivals).toEqual(arrivals.toSorted((a, b) => a - b));
    }
  },
);

it.each([...WAYS, 'depot far away'] as const)(
  'a bus that lays over at the far terminal, and may never drive back, has ended its leg with the arrival: %s',
  (way) => {
    const isFar = way === 'depot far away';
    for (const [seed, seconds] of [
      [1, 1],
      [2, 15],
      [3, 30],
    ] as const) {
      const truth = driveWithLayovers(street, {
        ...{ seed, startMs: START_MS, laps: 1, noiseM: 5 },
        layoverAt: () => ({
          way: isFar ? 'depot' : way,
          metres: isFar ? 3000 : 400,
          standS: 2400,
          boards: true,
        }),
      });
      const [forward, back] = truth.legs;
      if (forward === undefined || back === undefined) throw new Error('a lap has two legs');
      for (const share of [0.3, 0.6]) {
        const nowMs = forward.endMs + share * (back.startMs - forward.endMs);
        const points = truth.points.filter(([ms], n) => ms <= nowMs && n % seconds === 0);
        const { laps } = followBus(positionsOf(points), street, []);
        const legs = laps.flatMap((lap) => lap.legs);
        // A bus that stands on its line may have departed.
        const known = way === 'line' ? legs.slice(0, 1) : legs;
        expect(known.map(({ direction }) => direction)).toEqual(['FORWARD']);
        expect(isIn(legs, forward), `${seed} ${share} ${legs[0]?.endMs}`).toBe(true);
      }
    }
  },
);

describe('a bus that calls at the first stop and then waits beyond it', () => {
  /** Spans of laps as readers see them, and where each person is. */
  function dayOf(waits: { metres: number; seconds: number }, route: Route = street) {
    const truth = driveWithLayovers(route, {
      ...{ seed: 3, startMs: START_MS, laps: 3, noiseM: 5, waits },
      layoverAt: () => ({ way: 'stop', metres: 0, standS: 30, boards: true }),
    });
    const { laps } = daysOf(truth, route, START_MS);
    return { truth, whole: laps.filter(({ incomplete }) => incomplete === null), laps };
  }

  const daysOf = (truth: LayoverDrive, route: Route, startMs: number) =>
    lapsOfDay({
      ...{ startMs, endMs: startMs + DAY_MS, nowMs: startMs + 2 * DAY_MS },
      positions: positionsOf(truth.points),
      events: truth.events,
      route: {
        ...{ routeId: 1, route, prices: null, keep: 'entered' },
        places: new Map(route.stops.map(({ id }) => [id, { name: `${id}`, classifierId: id }])),
      },
    });

  it.each([
    ['105 m off', 105],
    ['240 m off', 240],
  ])(
    'for nine minutes %s has its layover there: the lap begins when it leaves, and laps meet then',
    (_name, metres) => {
      const { truth, whole } = dayOf({ metres, seconds: 540 });
      const starts = truth.legs.filter(({ direction }) => direction === 'FORWARD');
      expect(whole).toHaveLength(3);
      for (const [n, { startMs, endMs }] of whole.entries()) {
        expect(Math.abs(startMs - (starts[n]?.startMs ?? 0))).toBeLessThan(30_000);
        if (n < 2) expect(endMs).toBe(whole[n + 1]?.startMs);
      }
    },
  );

  it('beside the next stop of the route has its layover there, too', () => {
    const close = thereAndBack(
      [
        [0, 0],
        [4000, 0],
      ],
      200,
    );
    const { truth, whole } = dayOf({ metres: 200, seconds: 660 }, close);
    const starts = truth.legs.filter(({ direction }) => direction === 'FORWARD');
    expect(whole).toHaveLength(3);
    for (const [n, { startMs }] of whole.entries()) {
      expect(Math.abs(startMs - (starts[n]?.startMs ?? 0))).toBeLessThan(60_000);
    }
  });

  it.each([
    ['three minutes', 180, 240],
    ['half a kilometre off', 540, 500],
  ])('for %s has departed before', (_name, seconds, metres) => {
    const { truth, whole } = dayOf({ metres, seconds });
    const starts = truth.legs.filter(({ direction }) => direction === 'FORWARD');
    for (const [n, { startMs }] of whole.entries()) {
      expect(startMs).toBeLessThan((starts[n]?.startMs ?? 0) - seconds * 900);
    }
  });

  it('has the people of each lap, those who board while it waits among them', () => {
    const { truth, whole } = dayOf({ metres: 240, seconds: 540 });
    const people = [0, 1, 2].map(() => ({ entered: 0, exited: 0 }));
    let [lap, before] = [0, 'FORWARD'];
    for (const { leg, direction, count } of truth.events) {
      if (before === 'REVERSE' && leg === 'FORWARD') lap += 1;
      before = leg;
      const own = people[lap];
      if (own !== undefined) own[direction] += count;
    }
    expect(whole.map(({ entered, exited }) => ({ entered, exited }))).toEqual(people);
  });

  it('over midnight begins its lap on the day on which it leaves, and everybody is counted once', () => {
    const { truth } = dayOf({ metres: 240, seconds: 540 });
    const leavesMs = truth.legs.filter(({ direction }) => direction === 'FORWARD')[1]?.startMs ?? 0;
    // Midnight is in the middle of the wait.
    const midnightMs = leavesMs - 270_000;
    const [before, after] = [midnightMs - DAY_MS, midnightMs].map(
      (startMs) => daysOf(truth, street, startMs).laps,
    );
    expect([before?.at(-1)?.endMs, before?.length]).toEqual([after?.[0]?.startMs, 1]);
    expect(Math.abs((after?.[0]?.startMs ?? 0) - leavesMs)).toBeLessThan(30_000);
    const sumOf = (side: 'entered' | 'exited') =>
      [...(before ?? []), ...(after ?? [])].reduce((sum, one) => sum + one[side], 0);
    const people = (side: 'entered' | 'exited') =>
      truth.events.filter(({ direction }) => direction === side).length;
    expect([sumOf('entered'), sumOf('exited')]).toEqual([people('entered'), people('exited')]);
  });

  it('at the far terminal has begun its second leg', () => {
    const { truth, whole } = dayOf({ metres: 240, seconds: 540 });
    const backs = truth.legs.filter(({ direction }) => direction === 'REVERSE');
    for (const [n, { legs }] of whole.entries()) {
      expect(Math.abs((legs[1]?.startMs ?? 0) - (backs[n]?.startMs ?? 0))).toBeLessThan(60_000);
    }
  });
});
