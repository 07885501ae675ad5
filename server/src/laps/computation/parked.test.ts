import { dayRange } from '@ridewatch/contract/day';
import { describe, expect, it } from 'vitest';
import { drive, type Point, positionsOf, randomOf, thereAndBack } from '../../test/drive.ts';
import { ARRIVED_MS, type DayLaps, lapsOfDay } from '../engine/day-laps.ts';
import type { DayRoute } from '../engine/day-route.ts';
import type { Boarding } from '../engine/people/attribute.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY = dayRange('2026-03-10', 'Europe/Moscow');
const START_MS = DAY.startMs + 3 * HOUR_MS;
const corners = [
  [0, 0],
  [2500, 0],
  [2500, 1500],
  [4000, 1500],
] as const;
const street = thereAndBack(corners, 500);
const truth = drive(street, { seed: 5, startMs: START_MS, laps: 3 });
/** When the bus returned to the terminal from its third lap; the drive ends after 4 minutes there. */
const arrivedMs = (truth.points.at(-1)?.[0] ?? 0) - 4 * MINUTE_MS;

const dayRouteOf = (route: DayRoute['route']): DayRoute => ({
  routeId: 1,
  route,
  places: new Map(),
  prices: null,
  keep: 'entered',
});

function dayAt(nowMs: number, points: readonly Point[], route: DayRoute | null): DayLaps {
  const positions = positionsOf(points.filter(([ms]) => ms <= nowMs));
  return lapsOfDay({ ...DAY, nowMs, positions, route, events: [] });
}

/** Fixes of a parked unit at an interval, s, around a drifting place, with reflections between them. */
function parked(from: Point, hours: number, everyS: number, noiseM: number): Point[] {
  const random = randomOf(9);
  const metre = 1 / 111_195;
  return Array.from({ length: (hours * 3600) / everyS }, (_, n): Point => {
    const stray = random() < 0.01 ? 900 : 0;
    const north = 15 * Math.sin(n / 90) + noiseM * (random() - 0.5) + stray;
    const east = 15 * Math.cos(n / 70) + noiseM * (random() - 0.5);
    const ms = from[0] + (n + 1) * everyS * 1000;
    return [ms, from[1] + north * metre, from[2] + east * metre, 0];
  });
}

const opens = ({ laps }: DayLaps): boolean[] => laps.map(({ open }) => open);

/** Computes the day after each minute's batch: the last lap of each result, and its settle time. */
function eachMinute(fromMs: number, toMs: number, points: readonly Point[], route: DayRoute) {
  const answers: { nowMs: number; open: boolean; settlesAtMs: number | null }[] = [];
  for (let nowMs = fromMs; nowMs <= toMs; nowMs += MINUTE_MS) {
    const day = dayAt(nowMs, points, route);
    expect(opens(day).slice(0, -1).some(Boolean)).toBe(false);
    answers.push({ nowMs, open: day.laps.at(-1)?.open ?? false, settlesAtMs: day.settlesAtMs });
  }
  return answers;
}

describe('the last lap of a bus that is parked at its terminal and goes on sending all night', () => {
  const route = dayRouteOf(street);
  it.each([
    ['every 30 s with little noise', 30, 4],
    ['every 30 s with much noise', 30, 120],
    ['once a minute with much noise', 60, 120],
  ])('has ended once it has stood there for ten minutes: %s', (_what, everyS, noiseM) => {
    const last = truth.points.at(-1) as Point;
    const points = [...truth.points, ...parked(last, 9, everyS, noiseM)];
    const answers = eachMinute(arrivedMs, arrivedMs + 30 * MINUTE_MS, points, route);
    const closed = answers.find(({ open }) => !open)?.nowMs ?? Number.POSITIVE_INFINITY;
    expect(Math.abs(closed - arrivedMs - ARRIVED_MS)).toBeLessThan(2 * MINUTE_MS);
    expect(answers.filter(({ nowMs, open }) => nowMs >= closed && open)).toEqual([]);
    expect(dayAt(arrivedMs + 9 * HOUR_MS, points, route)).toMatchObject({ settlesAtMs: null });
    expect(opens(dayAt(arrivedMs + 9 * HOUR_MS, points, route))).not.toContain(true);
  });

  it('is being driven until then, and says to the millisecond when it will have ended', () => {
    const nowMs = truth.points.at(-1)?.[0] ?? 0;
    const { laps, settlesAtMs } = dayAt(nowMs, truth.points, route);
    expect(laps.at(-1)).toMatchObject({ open: true, incomplete: null });
    const endMs = settlesAtMs ?? 0;
    expect(endMs).toBeGreaterThan(nowMs);
    expect(dayAt(endMs - 1, truth.points, route)).toMatchObject({ settlesAtMs: endMs });
    expect(opens(dayAt(endMs - 1, truth.points, route))).toEqual([false, false, true]);
    expect(opens(dayAt(endMs, truth.points, route))).toEqual([false, false, false]);
    expect(dayAt(endMs, truth.points, route).settlesAtMs).toBeNull();
  });

  it('has ended there too where the route is driven one way and not back', () => {
    const one = { ...street, track: [], stops: street.stops.filter(({ id }) => id < 100) };
    const cut = truth.points.findIndex(([ms]) => ms >= (truth.laps[0]?.stays[11]?.[0] ?? 0));
    const there = truth.points.slice(0, cut);
    const at = there.at(-1) as Point;
    const points = [...there, ...parked(at, 3, 30, 4)];
    const open = (minutes: number): boolean | undefined =>
      dayAt(at[0] + minutes * MINUTE_MS, points, dayRouteOf(one)).laps.at(-1)?.open;
    expect([open(0), open(5), open(13), open(170)]).toEqual([true, true, false, false]);
  });
});

describe('the last lap before a bus falls silent at its terminal', () => {
  const route = dayRouteOf(street);
  const nextMs = START_MS + 24 * HOUR_MS;
  const lapsAt = (nowMs: number, points: readonly Point[], events: readonly Boarding[]) =>
    lapsOfDay({ ...DAY, nowMs, positions: positionsOf(points), route, events }).laps;
  const nextDay = drive(street, { seed: 6, startMs: nextMs, laps: 1 }).points;
  const atNight: Boarding = { timeMs: arrivedMs + 4 * HOUR_MS, direction: 'entered', count: 1 };

  it.each<[string, readonly Point[], readonly Boarding[]]>([
    ['the bus drives on the next day', nextDay, []],
    ['somebody is counted at night', [], [atNight]],
  ])('ends with the arrival, and as it did before %s', (_what, points, events) => {
    const alone = lapsAt(nextMs, truth.points, []);
    expect(alone.map(({ open }) => open)).toEqual([false, false, false]);
    expect(Math.abs((alone[2]?.endMs ?? 0) - arrivedMs)).toBeLessThan(MINUTE_MS);
    const later = lapsAt(nextMs + 2 * HOUR_MS, [...truth.points, ...points], events);
    expect(later.slice(0, 3)).toEqual(alone);
  });
});

describe('the last lap of a bus that stands on the way', () => {
  const route = dayRouteOf(street);
  const cutMs = (truth.laps[2]?.startMs ?? 0) + 10 * MINUTE_MS;
  const driven = truth.points.filter(([ms]) => ms <= cutMs);

  it.each([
    ['a route', route],
    ['no route', null],
  ])(
    'has ended when it went no farther for two hours, though its unit goes on sending: %s',
    (_what, own) => {
      const points = [...driven, ...parked(driven.at(-1) as Point, 9, 30, 120)];
      const openAfter = (minutes: number): boolean | undefined =>
        dayAt(cutMs + minutes * MINUTE_MS, points, own).laps.at(-1)?.open;
      expect([10, 60, 110].map(openAfter)).toEqual([true, true, true]);
      expect([121, 180, 300, 540].map(openAfter)).toEqual([false, false, false, false]);
      expect(dayAt(cutMs + 9 * HOUR_MS, points, own).settlesAtMs).toBeNull();
    },
  );

  it('has ended at the moment that was said when its unit fell silent', () => {
    const { settlesAtMs } = dayAt(cutMs, driven, route);
    const endMs = settlesAtMs ?? 0;
    expect(endMs).toBeGreaterThan(cutMs + HOUR_MS);
    expect(endMs).toBeLessThanOrEqual(cutMs + 2 * HOUR_MS);
    expect(opens(dayAt(endMs - 1, driven, route))).toEqual([false, false, true]);
    expect(opens(dayAt(endMs, driven, route))).toEqual([false, false, false]);
  });
});

describe('the last lap of a bus that drives', () => {
  it('is open, and what it waits for lies in the future, at each moment', () => {
    const route = dayRouteOf(street);
    const fromMs = (truth.laps[1]?.startMs ?? 0) + 5 * MINUTE_MS;
    const answers = eachMinute(fromMs, arrivedMs - 3 * MINUTE_MS, truth.points, route);
    for (const { nowMs, open, settlesAtMs } of answers) {
      expect([nowMs, open]).toEqual([nowMs, true]);
      expect(settlesAtMs).toBeGreaterThan(nowMs);
    }
    expect(answers.length).toBeGreaterThan(40);
  });
});
