import { seeded } from './clip/seeded.ts';

/** A hash of the parts, a whole number in [0, 2^32), the same on every machine (FNV-1a with a final mix). */
export function hashOf(...parts: readonly (string | number)[]): number {
  let hash = 0x811c9dc5;
  for (const part of parts) {
    const text = `${part}|`;
    for (let index = 0; index < text.length; index++) {
      hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
    }
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** Seeded random choices. */
export interface Chance {
  /** A number in [from, to). */
  between(from: number, to: number): number;
  /** True with the given probability. */
  happens(probability: number): boolean;
  /** A Poisson-distributed number with this mean. */
  countOf(mean: number): number;
  /** An index of `weights`, in proportion to them; −1 when all are 0. */
  choose(weights: readonly number[]): number;
}

/** Creates the random choices of what the parts name, independent of all others. */
export function chanceOf(...parts: readonly (string | number)[]): Chance {
  const next = seeded(hashOf(...parts));
  return {
    between: (from, to) => from + next() * (to - from),
    happens: (probability) => next() < probability,
    countOf: (mean) => {
      // Knuth's product method, which suits small means such as people at one stop.
      const limit = Math.exp(-mean);
      let count = 0;
      for (let product = next(); product > limit; product *= next()) count += 1;
      return count;
    },
    choose: (weights) => {
      const sum = weights.reduce((total, weight) => total + weight, 0);
      if (sum <= 0) return -1;
      let left = next() * sum;
      for (let index = 0; index < weights.length; index++) {
        left -= weights[index] ?? 0;
        if (left < 0) return index;
      }
      return weights.length - 1;
    },
  };
}
