import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assignEvents, type CountableFragment } from './assign.ts';
import type { DoorEvent } from './events.ts';

const event = (timeMs: number, door = 1): DoorEvent => ({
  timeMs,
  door,
  direction: 'entered',
  passenger: 'adult',
  count: 1,
});
const fragment = (
  id: number,
  startMs: number,
  endMs: number,
  door: number | null = 1,
): CountableFragment => ({ id, startMs, endMs, door });

const timesOf = (fragments: CountableFragment[], events: DoorEvent[]) =>
  [...assignEvents(fragments, events)].map(([id, own]) => [id, own.map(({ timeMs }) => timeMs)]);

describe("a fragment's people", () => {
  it('are the events from its start up to its end', () => {
    const events = [9, 10, 15, 19, 20].map((ms) => event(ms));
    expect(timesOf([fragment(1, 10, 20)], events)).toEqual([[1, [10, 15, 19]]]);
  });

  it('are of its own door', () => {
    expect(timesOf([fragment(1, 0, 20), fragment(2, 0, 20, 2)], [event(5, 2)])).toEqual([[2, [5]]]);
  });

  it('belong to the earlier one where two overlap', () => {
    const overlapping = [fragment(2, 10, 30), fragment(1, 0, 20)];
    expect(timesOf(overlapping, [event(5), event(15), event(25)])).toEqual([
      [1, [5, 15]],
      [2, [25]],
    ]);
  });

  it('are nobody where the camera does not count', () => {
    expect(timesOf([fragment(1, 0, 20, null)], [event(5)])).toEqual([]);
  });

  it('are each in one fragment at most, the earliest that holds them', () => {
    const aFragment = fc
      .tuple(
        fc.integer({ min: 0, max: 100 }),
        fc.integer({ min: 1, max: 40 }),
        fc.constantFrom(1, 2),
      )
      .map(([startMs, length, door]) => ({ startMs, endMs: startMs + length, door }));
    fc.assert(
      fc.property(
        fc.array(aFragment, { maxLength: 12 }),
        fc.array(fc.tuple(fc.integer({ min: 0, max: 140 }), fc.constantFrom(1, 2))),
        (some, times) => {
          const fragments = some.map((one, id) => ({ ...one, id }));
          const events = times
            .map(([ms, door]) => event(ms, door))
            .sort((a, b) => a.timeMs - b.timeMs);
          const assigned = assignEvents(fragments, events);
          for (const one of events) {
            const owners = [...assigned].filter(([, own]) => own.includes(one)).map(([id]) => id);
            const holders = fragments
              .filter(
                ({ door, startMs, endMs }) =>
                  door === one.door && startMs <= one.timeMs && one.timeMs < endMs,
              )
              .sort((a, b) => a.startMs - b.startMs || a.id - b.id);
            expect(owners).toEqual(holders.slice(0, 1).map(({ id }) => id));
          }
        },
      ),
    );
  });
});
