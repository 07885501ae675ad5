import { expect, it } from 'vitest';
import type { DoorEvent } from '../counts/events.ts';
import type { StopVisit } from '../laps/stops-and-loads.ts';
import { stopNames } from './stop-names.ts';

const visit = (name: string, fromS: number, toS: number): StopVisit => ({
  name,
  arrivalMs: fromS * 1000,
  departureMs: toS * 1000,
});
const people = (atS: number, count = 1): DoorEvent => ({
  timeMs: atS * 1000,
  door: 1,
  direction: 'entered',
  passenger: 'adult',
  count,
});
const nameOf = (
  [fromS, toS]: [number, number],
  visits: readonly StopVisit[],
  events: readonly DoorEvent[] = [],
): string | undefined =>
  stopNames(
    [{ id: 1, startMs: fromS * 1000, endMs: toS * 1000 }],
    visits,
    new Map([[1, events]]),
  ).get(1);

const visits = [visit('Парк', 100, 130), visit('Рынок', 200, 220), visit('Вокзал', 400, 900)];

it('a fragment is named after the stop at which its people passed', () => {
  expect(nameOf([110, 215], visits, [people(205)])).toBe('Рынок');
  expect(nameOf([110, 215], visits, [people(115, 3), people(205)])).toBe('Парк');
});

it('a fragment without people is named after the stop at which it was recorded longest', () => {
  expect(nameOf([110, 215], visits)).toBe('Парк');
  expect(nameOf([125, 220], visits)).toBe('Рынок');
});

it('a door that opens a little early is at the stop, one far from it is at none', () => {
  expect(nameOf([190, 195], visits, [people(192)])).toBe('Рынок');
  expect(nameOf([300, 320], visits, [people(310)])).toBeUndefined();
});

it('a long stay keeps its name for fragments that begin during it', () => {
  const spans = [450, 500, 850, 950].map((second) => ({
    id: second,
    startMs: second * 1000,
    endMs: (second + 10) * 1000,
  }));
  expect([...stopNames(spans, visits, new Map()).keys()]).toEqual([450, 500, 850]);
});
