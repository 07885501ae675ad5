import { sql } from 'kysely';
import type { Tx } from '../core/db/db.ts';
import { createDayFinder, listZoneSpans } from '../days/bus-days.ts';
import { createDayRecords } from '../days/day-records.ts';
import type { DoorEvent } from './events.ts';
import { rebuildHours } from './rebuild-hours.ts';

/**
 * Replaces the stored events that a program saw in a fragment's video.
 * @param atMs the present by the clock, ms since 1970 UTC
 * @returns the bus and its local days that change
 */
export async function storeVideoEvents(
  tx: Tx,
  fragmentId: number,
  events: readonly DoorEvent[],
  atMs: number,
): Promise<{ busId: number; days: string[] }> {
  const fragment = await tx
    .selectFrom('segments')
    .innerJoin('cameras', 'cameras.id', 'segments.camera_id')
    .select(['workplace_id', 'start_time', 'end_time'])
    .where('segments.id', '=', fragmentId)
    .executeTakeFirstOrThrow();
  await tx.deleteFrom('video_events').where('segment_id', '=', fragmentId).execute();
  const column = <T>(pick: (event: DoorEvent) => T): T[] => events.map(pick);
  await sql`
    insert into video_events (segment_id, position, time, direction, passenger, count)
    select ${fragmentId}::bigint, row_number() over () - 1, * from unnest(
      ${column(({ timeMs }) => new Date(timeMs))}::timestamptz[],
      ${column(({ direction }) => direction)}::text[],
      ${column(({ passenger }) => passenger)}::text[],
      ${column(({ count }) => count)}::smallint[])`.execute(tx);
  const localDay = createDayFinder(await listZoneSpans(tx, fragment.workplace_id));
  const edges = [fragment.start_time.getTime(), fragment.end_time.getTime() - 1];
  const days = [...new Set(edges.map((ms) => localDay(ms).day))];
  const busId = fragment.workplace_id;
  const eventDays = new Set(events.map(({ timeMs }) => localDay(timeMs).day));
  // The days of laps before the calculations, as batches and moves lock them.
  await rebuildHours(tx, busId, days);
  await createDayRecords(
    tx,
    [...eventDays].map((day) => ({ busId, day })),
    atMs,
  );
  return { busId, days };
}
