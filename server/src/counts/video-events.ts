import { sql } from 'kysely';
import type { Tx } from '../core/db/db.ts';
import { createDayFinder, listZoneSpans } from '../days/bus-days.ts';
import type { DoorEvent } from './events.ts';
import { rebuildHours } from './hours.ts';

/**
 * Stores whom a program saw in a fragment's video, in place of whom it saw there before.
 * @returns the bus and its local days that change
 */
export async function storeVideoEvents(
  tx: Tx,
  segmentId: number,
  events: readonly DoorEvent[],
): Promise<{ workplaceId: number; days: string[] }> {
  const segment = await tx
    .selectFrom('segments')
    .innerJoin('cameras', 'cameras.id', 'segments.camera_id')
    .select(['workplace_id', 'start_time', 'end_time'])
    .where('segments.id', '=', segmentId)
    .executeTakeFirstOrThrow();
  await tx.deleteFrom('video_events').where('segment_id', '=', segmentId).execute();
  const column = <T>(pick: (event: DoorEvent) => T): T[] => events.map(pick);
  await sql`
    insert into video_events (segment_id, position, time, direction, passenger, count)
    select ${segmentId}::bigint, row_number() over () - 1, * from unnest(
      ${column(({ timeMs }) => new Date(timeMs))}::timestamptz[],
      ${column(({ direction }) => direction)}::text[],
      ${column(({ passenger }) => passenger)}::text[],
      ${column(({ count }) => count)}::smallint[])`.execute(tx);
  const localDay = createDayFinder(await listZoneSpans(tx, segment.workplace_id));
  const edges = [segment.start_time.getTime(), segment.end_time.getTime() - 1];
  const days = [...new Set(edges.map((ms) => localDay(ms).day))];
  await rebuildHours(tx, segment.workplace_id, days);
  return { workplaceId: segment.workplace_id, days };
}
