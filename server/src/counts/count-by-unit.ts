import { MAX_FRAGMENT_MS } from '@ridewatch/contract/unit';
import type { Db } from '../core/db/db.ts';
import { assignEvents } from './assign.ts';
import type { CountTask, FragmentCount } from './counter.ts';
import { listCountedFragments, listUnitEvents } from './queries.ts';

/**
 * Takes the unit's own word: the events of the camera's door in the fragment's time, less those that belong to an
 * earlier fragment which overlaps it, and the most people in view that the announcement told of.
 */
export async function countByUnit(
  db: Db,
  { fragmentId }: Pick<CountTask, 'fragmentId'>,
): Promise<FragmentCount> {
  const fragment = await db
    .selectFrom('segments')
    .innerJoin('cameras', 'cameras.id', 'segments.camera_id')
    .leftJoin('segment_announcements as told', (join) =>
      join
        .onRef('told.unit_id', '=', 'segments.unit_id')
        .onRef('told.stream_id', '=', 'segments.stream_id')
        .onRef('told.seq', '=', 'segments.seq'),
    )
    .select(['segments.camera_id', 'cameras.workplace_id', 'segments.start_time'])
    .select(['segments.end_time', 'told.max_objects_count as seen'])
    .where('segments.id', '=', fragmentId)
    .executeTakeFirstOrThrow();
  const startMs = fragment.start_time.getTime();
  const endMs = fragment.end_time.getTime();
  // What begins earlier may own some of the events.
  const which = { cameraId: fragment.camera_id };
  const fragments = await listCountedFragments(db, which, startMs - MAX_FRAGMENT_MS, endMs);
  const events = await listUnitEvents(db, fragment.workplace_id, startMs, endMs);
  return {
    source: 'unit',
    events: assignEvents(fragments, events).get(fragmentId) ?? [],
    maxObjectsCount: fragment.seen ?? 0,
  };
}
