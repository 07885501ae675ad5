import type { Point } from '@ridewatch/contract/primitives';
import { describe, expect, it } from 'vitest';
import { joinParts } from './join-parts.ts';

/** Points on a parallel; 0.001 is some 63 m. */
const part = (...longitudes: number[]): Point[] =>
  longitudes.map((longitude) => ({ latitude: 55.75, longitude }));
const longitudesOf = (points: readonly Point[]) => points.map(({ longitude }) => longitude);

/** Pseudo-random numbers in [0, 1), the same in every run. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

/** A line cut into parts, which are shuffled and partly turned round; the first keeps its direction. */
function shuffled(count: number, random: () => number): Point[][] {
  const parts = Array.from({ length: count }, (_, n) =>
    part(37 + n * 0.002, 37 + n * 0.002 + 0.001),
  );
  const order = parts.map((points) => ({ points, key: random() }));
  order.sort((a, b) => a.key - b.key);
  return order.map(({ points }, n) => (n > 0 && random() < 0.5 ? points.toReversed() : points));
}

describe('the parts of a line', () => {
  it.each([2, 5, 8, 9, 40, 300])(
    'are joined along the line from any order and direction: %i parts',
    (count) => {
      const random = seeded(count);
      for (let run = 0; run < 5; run += 1) {
        const { chains, longestGapM } = joinParts(shuffled(count, random), false);
        expect(chains).toHaveLength(1);
        const found = longitudesOf(chains[0] ?? []);
        expect(found).toEqual(found.toSorted((a, b) => a - b));
        expect(longestGapM).toBeLessThan(70);
      }
    },
  );

  it('are joined along a plain line also where a rough order will do', () => {
    const { chains } = joinParts(shuffled(40, seeded(1)), false, true);
    const found = longitudesOf(chains[0] ?? []);
    expect(found).toEqual(found.toSorted((a, b) => a - b));
  });

  it('keep the direction of the first one', () => {
    const { chains } = joinParts([part(37.003, 37.002), part(37, 37.001)], false);
    expect(longitudesOf(chains[0] ?? [])).toEqual([37.003, 37.002, 37.001, 37]);
  });

  it('that were recorded keep their order and direction', () => {
    const { chains } = joinParts([part(37.001, 37.002), part(37.001, 37)], true);
    expect(longitudesOf(chains[0] ?? [])).toEqual([37.001, 37.002, 37.001, 37]);
  });

  it('are in chains where a kilometre is between them', () => {
    const { chains, longestGapM } = joinParts([part(37, 37.001), part(37.021, 37.02)], false);
    expect(chains).toHaveLength(2);
    expect(longestGapM).toBeCloseTo(1189, -1);
  });

  it('beyond the bound keep the order of the file, in a moment', () => {
    const parts = Array.from({ length: 20_000 }, (_, n) =>
      part(37 + n * 1e-5, 37 + (n + 1) * 1e-5),
    );
    expect(joinParts(parts, false).chains[0]).toHaveLength(40_000);
  });
});
