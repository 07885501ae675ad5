import { createHash } from 'node:crypto';
import { seeded } from '../film/seeded.ts';

/** Draws that depend on nothing but what they are named by. */
export interface Chance {
  /** In [0, 1). */
  next(): number;
  /** Evenly in [from, to). */
  between(from: number, to: number): number;
  /** Whole number of rare, independent happenings with this mean (Knuth's method; means below 30). */
  poisson(mean: number): number;
  /** Around 0 with deviation 1 (sum of twelve draws less six: enough for GPS noise). */
  normal(): number;
}

/** A number for the names of a draw: seed, bus, day, purpose. */
export function seedOf(...names: readonly (string | number)[]): number {
  return createHash('sha256').update(names.join('\u0000')).digest().readUInt32LE(0);
}

/** Draws named by these, the same on every machine. */
export function chanceOf(...names: readonly (string | number)[]): Chance {
  const next = seeded(seedOf(...names));
  const draws: Chance = {
    next,
    between: (from, to) => from + (to - from) * next(),
    poisson: (mean) => {
      const limit = Math.exp(-mean);
      let product = next();
      let count = 0;
      while (product > limit) {
        product *= next();
        count += 1;
      }
      return count;
    },
    normal: () => {
      let sum = -6;
      for (let draw = 0; draw < 12; draw += 1) sum += next();
      return sum;
    },
  };
  return draws;
}
