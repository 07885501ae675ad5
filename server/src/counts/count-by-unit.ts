import { MAX_FRAGMENT_MS } from '@ridewatch/contract/unit';
import type { Db } from '../core/db/db.ts';
import { assignEvents } from './assign.ts';
import type { CountTask, FragmentCount } from './counter.ts';
import { listCountedFragments, listUnitEvents } from './day-events.ts';

/**
 * Counts by the unit's own events: those of the camera's door within the fragment, without those of an earlier fragment
 * that overlaps it. The most people in view is that of the announcement.
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
  // Earlier fragments may own some of the events.
  const which = { cameraId: fragment.camera_id };
  const fragments = await listCountedFragments(db, which, startMs - MAX_FRAGMENT_MS, endMs);
  const events = await listUnitEvents(db, fragment.workplace_id, startMs, endMs);
  return {
    source: 'unit',
    events: assignEvents(fragments, events).get(fragmentId) ?? [],
    maxObjectsCount: fragment.seen ?? 0,
  };
}
