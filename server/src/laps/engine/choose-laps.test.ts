import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Candidate, chooseLaps } from './choose-laps.ts';

const MINUTE_MS = 60_000;

/** A complete lap of a further pattern that fits as well as any other. */
const lap = (fromMin: number, minutes: number, coveredM: number): Candidate => ({
  pattern: 1,
  startMs: fromMin * MINUTE_MS,
  endMs: (fromMin + minutes) * MINUTE_MS,
  isComplete: true,
  beginsMidway: false,
  runs: null,
  lengthM: 10_000,
  coveredM,
  share: 1,
  stopIds: [],
  aheadIds: [],
  visits: [],
});

/** Greatest overlap of two laps, ms: three minutes, and a quarter of either. */
const overlapMs = (one: Candidate, next: Candidate): number =>
  Math.min(3 * MINUTE_MS, (one.endMs - one.startMs) / 4, (next.endMs - next.startMs) / 4);
const canFollow = (one: Candidate, next: Candidate): boolean =>
  one.endMs - next.startMs <= overlapMs(one, next);

const metresOf = (laps: readonly Candidate[]): number =>
  laps.reduce((sum, { coveredM }) => sum + coveredM, 0);

/** The metres of the best chain of all that there are. */
function mostMetres(laps: readonly Candidate[], last?: Candidate): number {
  const next = laps.filter((one) => last === undefined || canFollow(last, one));
  return Math.max(
    0,
    ...next.map((one) => {
      const later = laps.filter(({ endMs }) => endMs > one.endMs);
      return one.coveredM + mostMetres(later, one);
    }),
  );
}

const someLaps = fc.array(
  fc
    .tuple(fc.integer({ min: 0, max: 40 }), fc.integer({ min: 1, max: 30 }), fc.nat(100))
    .map(([from, minutes, metres]) => lap(from, minutes, metres + 1)),
  { maxLength: 8 },
);

describe('a chain of laps', () => {
  it('lets two laps overlap a little at a terminal', () => {
    const laps = [lap(0, 40, 1000), lap(38, 40, 1000)];
    expect(chooseLaps(laps)).toEqual(laps);
  });

  it('has no short lap within the beginning of a long one', () => {
    const long = lap(0, 40, 10_000);
    expect(chooseLaps([long, lap(1, 1.5, 500)])).toEqual([long]);
  });

  it('has, of laps with equal evidence, that of the default, else that of the longest pattern', () => {
    const of = (pattern: number, lengthM: number) => ({ ...lap(0, 40, 8000), pattern, lengthM });
    const [short, long] = [of(1, 9000), of(2, 15_000)];
    expect(chooseLaps([short, long])).toEqual([long]);
    expect(chooseLaps([long, short])).toEqual([long]);
    const byDefault = of(0, 8500);
    expect(chooseLaps([short, long, byDefault])).toEqual([byDefault]);
  });

  it('has, of laps with equal evidence, that of the pattern which runs more often', () => {
    const [rare, often] = [
      { ...lap(0, 40, 10_000), runs: 0.1 },
      { ...lap(0, 40, 10_000), runs: 3 },
    ];
    const common: Candidate = { ...often, pattern: 2 };
    const byDefault: Candidate = { ...lap(0, 40, 10_000), pattern: 0 };
    expect(chooseLaps([rare, common])).toEqual([common]);
    expect(chooseLaps([rare, byDefault])).toEqual([byDefault]);
    expect(chooseLaps([common, byDefault])).toEqual([common]);
  });

  it('has the pattern whose own stop the bus called at, although the default is as long', () => {
    const calls = Array.from({ length: 41 }, (_, id) => ({ id, arrivalMs: (id + 1) * 30_000 }));
    const of = (pattern: number, visits: typeof calls) => {
      return { ...lap(0, 40, 8000), pattern, visits, stopIds: visits.map(({ id }) => id) };
    };
    const [byDefault, further] = [of(0, calls.slice(0, 40)), of(1, calls)];
    expect(chooseLaps([byDefault, further])).toEqual([further]);
  });

  it('has laps that follow each other, and no other chain explains more driving', () => {
    fc.assert(
      fc.property(someLaps, (laps) => {
        const chain = chooseLaps(laps);
        for (const [n, one] of chain.entries()) {
          const next = chain[n + 1];
          if (next === undefined) continue;
          expect(next.startMs).toBeGreaterThan(one.startMs);
          expect(canFollow(one, next)).toBe(true);
        }
        expect(metresOf(chain)).toBeCloseTo(mostMetres(laps), 6);
      }),
    );
  });
});
