// U4: the memory of the server after random requests to all its calls, as users, keys and units send them.
import { makeClip } from '@ridewatch/server/src/test/clip.ts';
import { run } from '../fuzz/run.ts';
import { ENVIRONMENT, makeWorld } from '../fuzz/world.ts';
import { startProduct } from '../harness/product.ts';
import { type Bench, ofBudget } from './measure.ts';

/** Any seed does; the same one makes runs comparable. */
const SEED = 7;
const MINUTES = 2;
/** Most resident memory of the server with its threads, MiB: room for both on a machine with 1 GB. */
const MOST_MIB = 768;

/** Measures the memory of a server that answers random requests. */
export const memory: Bench = {
  ids: ['U4'],
  run: async (_, { minutes = MINUTES }) => {
    const product = await startProduct({ env: { ...ENVIRONMENT, LOG_LEVEL: 'error' } });
    try {
      const world = await makeWorld(product.url, makeClip());
      const limits = { seed: SEED, requests: Number.POSITIVE_INFINITY, ms: minutes * 60_000 };
      const { requests, watched } = await run(product.url, world, limits);
      const whole = (mib: number): number => Math.round(mib);
      const row = {
        id: 'U4',
        what: `memory of the server after ${minutes} min of random requests`,
        unit: 'MiB',
        counters: { requests, before: whole(watched.firstMiB), after: whole(watched.lastMiB) },
      };
      return [ofBudget(row, whole(watched.mostMiB), MOST_MIB)];
    } finally {
      await product.remove();
    }
  },
};
