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

/**
 * The cases that a slow test tries: `npm run test:long` tries all of them, the quick tier the first ones.
 * @param quick number of those of the quick tier
 */
export function casesOf<Case>(cases: readonly Case[], quick: number): readonly Case[] {
  return inject('triesEverything') ? cases : cases.slice(0, quick);
}

/**
 * Whether a test measures processor time and memory: only in `npm run test:long`, in a process of its own. In the quick
 * tier, files share a thread, and what one leaves to collect counts as another's time.
 */
export const measuresCost = (): boolean => inject('triesEverything');
