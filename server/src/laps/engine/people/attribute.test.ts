import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  drive,
  placeAt as metresAt,
  positionsOf,
  randomOf,
  thereAndBack,
} from '../../../test/drive.ts';
import { lapsOfDay } from '../day-laps.ts';
import { followBus } from '../engine.ts';
import { attributeEvents, type Boarding } from './attribute.ts';

const START_MS = Date.parse('2026-03-10T03:00:00Z');
const street = thereAndBack(
  [
    [0, 0],
    [3000, 0],
  ],
  500,
);
const truth = drive(street, { seed: 11, startMs: START_MS, laps: 3 });
const followed = followBus(positionsOf(truth.points), street, []);
const placeAt = (timeMs: number) => {
  const point = truth.points.find(([ms]) => ms >= timeMs);
  return point === undefined ? null : { latitude: point[1], longitude: point[2] };
};
const give = (events: readonly Boarding[]) =>
  attributeEvents(followed.laps, followed.halts, events, placeAt);
const at = (timeMs: number, direction: 'entered' | 'exited'): Boarding => ({
  timeMs,
  direction,
  count: 1,
});

describe('where the last stop lies 190 m before the terminal', () => {
  const lastId = street.stops.at(-1)?.id;
  const short = {
    ...street,
    stops: street.stops.map((stop) =>
      stop.id === lastId ? { ...stop, ...metresAt(190, 0) } : stop,
    ),
  };
  const driven = drive(short, { seed: 12, startMs: START_MS, laps: 3 });
  const { laps, halts } = followBus(positionsOf(driven.points), short, []);
  const middleOf = (stay: readonly [number, number] | null | undefined): number =>
    ((stay?.[0] ?? 0) + (stay?.[1] ?? 0)) / 2;
  const visitAt = (ms: number): number | null | undefined =>
    attributeEvents(laps, halts, [at(ms, 'exited')], () => null)[0]?.visit;

  it('who gets off at the terminal got off there, and who at the last stop, there', () => {
    expect(laps[0]?.visits.map(({ stop }) => stop.id).slice(-2)).toEqual([lastId, 1]);
    expect(visitAt(middleOf(driven.laps[1]?.stays[0]))).toBe(14);
    expect(visitAt(middleOf(driven.laps[0]?.stays[13]))).toBe(13);
  });
});

describe('a passenger event', () => {
  it('belongs to the stop where the bus stands, also some seconds before and after', () => {
    for (const [lap, { stays }] of truth.laps.entries()) {
      for (const [visit, stay] of stays.entries()) {
        if (stay === null || visit === 0 || visit === 6 || visit === 7 || visit === 13) continue;
        for (const ms of [stay[0] - 5000, (stay[0] + stay[1]) / 2, stay[1] + 5000]) {
          expect(give([at(ms, 'entered')])).toEqual([{ lap, visit, halt: null }]);
        }
      }
    }
  });

  it('at the terminal belongs to the lap that ends when somebody gets off, to the next one when on', () => {
    const stay = truth.laps[1]?.stays[0];
    const ms = ((stay?.[0] ?? 0) + (stay?.[1] ?? 0)) / 2;
    const [off, on] = give([at(ms, 'exited'), at(ms, 'entered')]);
    expect([off?.lap, off?.visit]).toEqual([0, 13]);
    expect([on?.lap, on?.visit]).toEqual([1, 0]);
  });

  it('at the far terminal leaves at the last stop of one leg and boards at the first of the other', () => {
    const stay = truth.laps[0]?.stays[6];
    const ms = ((stay?.[0] ?? 0) + (stay?.[1] ?? 0)) / 2;
    const [off, on] = give([at(ms, 'exited'), at(ms, 'entered')]);
    expect([off?.visit, on?.visit]).toEqual([6, 7]);
  });

  it('while driving belongs to the stop within 60 m, else to the halt nearest in time, else to the lap', () => {
    const before = truth.laps[0]?.stays[2];
    const after = truth.laps[0]?.stays[3];
    const middle = ((before?.[1] ?? 0) + (after?.[0] ?? 0)) / 2;
    const [between] = give([at(middle, 'entered')]);
    expect(between?.visit).toBeNull();
    expect(between?.halt).not.toBeNull();
  });

  it('is in exactly one lap, whenever it happens', () => {
    const endMs = truth.points.at(-1)?.[0] ?? 0;
    fc.assert(
      fc.property(
        fc.array(
          fc.record({
            timeMs: fc.integer({ min: START_MS - 3_600_000, max: endMs + 3_600_000 }),
            direction: fc.constantFrom('entered' as const, 'exited' as const),
            count: fc.integer({ min: -3, max: 20 }),
          }),
        ),
        (events) => {
          const given = give(events);
          expect(given).toHaveLength(events.length);
          for (const { lap } of given) expect(followed.laps[lap]).toBeDefined();
        },
      ),
    );
  });

  it('has no lap only where there is none', () => {
    expect(attributeEvents([], [], [at(START_MS, 'entered')], () => null)).toEqual([
      { lap: -1, visit: null, halt: null },
    ]);
  });

  it('is given the same place in whatever order events come', () => {
    const random = randomOf(3);
    const events = Array.from({ length: 200 }, () =>
      at(START_MS + random() * 5_000_000, random() < 0.5 ? 'entered' : 'exited'),
    );
    expect(give([...events].reverse())).toEqual(give(events).reverse());
  });
});

describe('an event while the receiver has no fix', () => {
  const [firstMs, lastMs] = [truth.points[0]?.[0] ?? 0, truth.points.at(-1)?.[0] ?? 0];
  const dayOf = (events: readonly Boarding[]) =>
    lapsOfDay({
      ...{ startMs: firstMs - 3_600_000, endMs: lastMs + 86_400_000, nowMs: lastMs + 86_400_000 },
      route: {
        ...{ routeId: 1, route: street, places: new Map(), prices: null, keep: 'entered' },
      },
      positions: positionsOf(truth.points),
      events,
    });
  const stopsWithPeople = (events: readonly Boarding[]) =>
    dayOf(events).laps.flatMap(({ number, stops }) =>
      stops
        .filter(({ entered, exited }) => entered + exited > 0)
        .map(({ stopId, entered, exited }) => [number, stopId, entered, exited]),
    );
  const minutes = (count: number): number => count * 60_000;

  it('belongs to the stop where the bus stood before the first fix or after the last one', () => {
    const events = [
      { ...at(firstMs - minutes(3), 'entered'), count: 2 },
      { ...at(lastMs + minutes(3), 'exited'), count: 3 },
    ];
    const lastStop = street.stops.at(-1)?.id;
    expect(stopsWithPeople(events)).toEqual([
      [1, street.stops[0]?.id, 2, 0],
      [3, lastStop, 0, 3],
    ]);
    const half = minutes(30);
    const early = [at(firstMs - half, 'entered'), at(lastMs + half, 'exited')];
    expect(stopsWithPeople(early).map(([, stopId]) => stopId)).toEqual([
      street.stops[0]?.id,
      lastStop,
    ]);
  });

  it('belongs to none half an hour and a second away from it', () => {
    const far = minutes(30) + 1000;
    const day = dayOf([at(firstMs - far, 'entered'), at(lastMs + far, 'exited')]);
    expect(day.laps.reduce((sum, { unplaced }) => sum + unplaced, 0)).toBe(2);
  });
});
