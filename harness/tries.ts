/** Whether stories try all that they can, as in `npm run test:long`: both themes, long queues. */
export const triesEverything = process.env.TEST_TRIES === 'all' || process.env.TEST_TIER === 'long';

/**
 * The cases that a slow story tries: all of them where everything is tried, else the first ones.
 * @param quick number of those of the quick tier
 */
export function casesOf<Case>(cases: readonly Case[], quick: number): readonly Case[] {
  return triesEverything ? cases : cases.slice(0, quick);
}
