import * as z from 'zod/mini';
import type { Deps } from '../app.ts';
import type { JobDefinition } from '../jobs.ts';
import { moveSegment } from '../segments/state.ts';

const Payload = z.object({ segmentId: z.int() });

/**
 * Counts a fragment: LOADED → PROCESSING → PROCESSED. The people are the unit's own events of that camera's door and
 * time, which every reading of the day takes from the events themselves, so nothing is copied here.
 */
export function countSegmentJob(deps: Deps): JobDefinition {
  return {
    name: 'count_segment',
    run: async (payload) => {
      const { segmentId } = Payload.parse(payload);
      await deps.database.db.transaction().execute(async (tx) => {
        const segment = await tx
          .selectFrom('segments')
          .select('status')
          .where('id', '=', segmentId)
          .forUpdate()
          .executeTakeFirst();
        if (segment?.status !== 'LOADED') return;
        const atMs = deps.clock.nowMs();
        await moveSegment(tx, segmentId, 'PROCESSING', { atMs });
        await moveSegment(tx, segmentId, 'PROCESSED', { atMs });
      });
    },
  };
}
