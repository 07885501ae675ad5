import { inject } from 'vitest';

/** Share of the tries that the quick tier makes. */
const QUICK_SHARE = 0.2;

/**
 * How often a slow property is tried: `npm run test:long` tries it with `whole` random inputs, the quick tier with a
 * fifth of them.
 */
export function triesOf(whole: number): number {
  return Math.ceil(whole * (inject('triesEverything') ? 1 : QUICK_SHARE));
}
