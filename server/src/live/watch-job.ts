import * as z from 'zod/mini';
import type { JobDefinition } from '../core/jobs/jobs.ts';
import type { Deps } from '../deps.ts';
import { watchStream } from './streams.ts';

const Payload = z.object({ streamId: z.int() });

/** Checks a live stream every few seconds until nobody watches it. */
export function watchLiveJob({ database, clock }: Pick<Deps, 'database' | 'clock'>): JobDefinition {
  return {
    name: 'watch_live',
    run: async (payload) => {
      const { streamId } = Payload.parse(payload);
      await database.db.transaction().execute((tx) => watchStream(tx, streamId, clock.nowMs()));
    },
  };
}
