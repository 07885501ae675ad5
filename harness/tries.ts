/** Whether stories try all that they can, as in `npm run test:long`: both themes, long queues. */
export const triesEverything = process.env.TEST_TRIES === 'all' || process.env.TEST_TIER === 'long';
