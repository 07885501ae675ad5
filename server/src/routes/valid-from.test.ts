import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changedFrom, editedFrom, type Version, versionOn } from './valid-from.ts';

const day = (n: number): string => `2026-03-${String(n).padStart(2, '0')}`;
const valuesOn = <T>(versions: readonly Version<T>[], days: readonly number[]) =>
  days.map((n) => versionOn(versions, day(n))?.value);
const always = <T>(value: T): Version<T>[] => [{ from: day(1), to: null, value }];

describe('a price that is valid from a day', () => {
  it('leaves the days before as they were', () => {
    expect(valuesOn(changedFrom(always(40), day(10), 45), [9, 10])).toEqual([40, 45]);
  });

  it('changed twice on one day is one row', () => {
    const once = changedFrom(always(40), day(10), 45);
    expect(changedFrom(once, day(10), 50)).toHaveLength(2);
  });

  it('leaves what begins later as it is', () => {
    const planned = changedFrom(always(40), day(20), 60);
    const versions = changedFrom(planned, day(10), 45);
    expect(valuesOn(versions, [9, 10, 19, 20])).toEqual([40, 45, 45, 60]);
  });

  it('may end, and begin again', () => {
    const ended = changedFrom(always(40), day(10), null);
    expect(valuesOn(ended, [9, 10])).toEqual([40, undefined]);
    expect(valuesOn(changedFrom(ended, day(12), 50), [9, 10, 12])).toEqual([40, undefined, 50]);
  });

  it('before its first day holds up to that day', () => {
    const versions = changedFrom([{ from: day(10), to: null, value: 40 }], day(5), 30);
    expect(valuesOn(versions, [4, 5, 9, 10])).toEqual([undefined, 30, 30, 40]);
  });
});

describe('a stop that is edited from a day', () => {
  const stop = (name: string, order: number) => ({ name, order });
  const planned = changedFrom(always(stop('Рынок', 3)), day(20), stop('Рынок', 4));

  it('keeps its new name when a planned change of its place in the order begins', () => {
    const versions = editedFrom(planned, day(10), stop('Базар', 3));
    expect(valuesOn(versions, [9, 10, 20])).toEqual([
      stop('Рынок', 3),
      stop('Базар', 3),
      stop('Базар', 4),
    ]);
  });

  it('takes the planned value of a field from its day on', () => {
    const versions = editedFrom(planned, day(10), stop('Рынок', 0));
    expect(valuesOn(versions, [10, 20])).toEqual([stop('Рынок', 0), stop('Рынок', 4)]);
  });

  it('does not come back by a planned change after it was taken away', () => {
    const versions = editedFrom(planned, day(10), null);
    expect(valuesOn(versions, [9, 10, 20])).toEqual([stop('Рынок', 3), undefined, undefined]);
  });

  it('stays as planned where it begins anew after a gap', () => {
    const gap = changedFrom(changedFrom(planned, day(12), null), day(25), stop('Рынок', 7));
    const versions = editedFrom(gap, day(10), stop('Базар', 3));
    expect(valuesOn(versions, [10, 12, 25])).toEqual([
      stop('Базар', 3),
      undefined,
      stop('Рынок', 7),
    ]);
  });
});

describe('versions', () => {
  const aChange = fc.record({
    on: fc.integer({ min: 1, max: 28 }),
    value: fc.option(
      fc.record({ a: fc.integer({ max: 3, min: 0 }), b: fc.integer({ max: 3, min: 0 }) }),
      { nil: null },
    ),
    edits: fc.boolean(),
  });

  it('never overlap, and no change reaches the days before it, whatever comes in whatever order', () => {
    fc.assert(
      fc.property(fc.array(aChange, { maxLength: 12 }), (changes) => {
        let versions: Version<{ a: number; b: number }>[] = [];
        for (const { on, value, edits } of changes) {
          const days = Array.from({ length: on - 1 }, (_, n) => n + 1);
          const past = valuesOn(versions, days);
          versions = (edits ? editedFrom : changedFrom)(versions, day(on), value);
          expect(valuesOn(versions, days)).toEqual(past);
          expect(versionOn(versions, day(on))?.value).toEqual(value ?? undefined);
        }
        for (let n = 1; n <= 28; n += 1) {
          const covering = versions.filter(
            ({ from, to }) => from <= day(n) && (to === null || to > day(n)),
          );
          expect(covering.length).toBeLessThanOrEqual(1);
        }
        expect(versions.every(({ from, to }) => to === null || from < to)).toBe(true);
      }),
    );
  });
});
