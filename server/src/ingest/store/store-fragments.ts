// Announcements of fragments. Several may speak of one fragment (same unit, camera and start): being recorded, then
// kept on the registrar or queued for upload. Each is kept; the furthest of them is in force, whatever their order.

import type { FragmentStatus } from '@ridewatch/contract/fragment-states';
import { sql } from 'kysely';
import type { Tx } from '../../core/db/db.ts';
import { noteCounted } from '../../counts/hours.ts';
import { cancelCommands } from '../../fetching/commands.ts';
import { joinAnnounced } from '../../fetching/preloads.ts';
import { askAgain } from '../../fetching/tries.ts';
import { moveFragment } from '../../fragments/state.ts';
import type { SegmentRecord } from './records.ts';
import type { Source } from './store-traffic.ts';

type Video = SegmentRecord['video'];

const statusOf: Readonly<Record<Video, FragmentStatus>> = {
  adding: 'ADDING',
  kept: 'LIVE',
  queued: 'ADDED',
};

/**
 * Stores announcements and the fragments they speak of.
 * @param cameraIds the cameras of the unit's bus by their key
 * @param receivedMs the server's clock when the batch arrived
 * @returns when fragments that were known before had begun and ended, ms since 1970 UTC
 */
export async function insertAnnouncements(
  tx: Tx,
  source: Source,
  announced: readonly SegmentRecord[],
  cameraIds: ReadonlyMap<string, number>,
  receivedMs: number,
): Promise<number[]> {
  if (announced.length === 0) return [];
  const byFragment = Map.groupBy(
    announced,
    ({ camera, startMs }) => `${cameraIds.get(camera)}:${startMs}`,
  );
  const fragments = [...byFragment.values()].map((same) => furthest(same));
  const known = await insertFragments(tx, source, fragments, cameraIds, receivedMs);
  await insertRows(tx, source, announced, cameraIds, known.ids);
  const before = await listEdges(tx, known.old);
  for (const fragmentId of known.old) await bringForward(tx, fragmentId, receivedMs);
  await noteCounted(tx, known.old);
  await joinAnnounced(tx, source.unitId, [...known.ids.values()], receivedMs);
  return before;
}

async function listEdges(tx: Tx, fragmentIds: readonly number[]): Promise<number[]> {
  if (fragmentIds.length === 0) return [];
  const rows = await tx
    .selectFrom('segments')
    .select(['start_time', 'end_time'])
    .where('id', 'in', fragmentIds)
    .execute();
  return rows.flatMap(({ start_time, end_time }) => [start_time.getTime(), end_time.getTime() - 1]);
}

const order: readonly Video[] = ['adding', 'kept', 'queued'];

function furthest(same: readonly SegmentRecord[]): SegmentRecord {
  const [first, ...rest] = [...same].sort(
    (a, b) =>
      order.indexOf(b.video) - order.indexOf(a.video) || b.sentMs - a.sentMs || b.seq - a.seq,
  );
  if (first === undefined) throw new Error(`no announcement among ${rest.length}`);
  return first;
}

async function insertFragments(
  tx: Tx,
  { unitId, streamId }: Source,
  fragments: readonly SegmentRecord[],
  cameraIds: ReadonlyMap<string, number>,
  receivedMs: number,
): Promise<{ ids: Map<string, number>; old: number[] }> {
  const cameras = fragments.map(({ camera }) => cameraIds.get(camera) ?? 0);
  const starts = fragments.map(({ startMs }) => new Date(startMs));
  const { rows } = await sql<{ id: number; camera_id: number; start_ms: number; fresh: boolean }>`
    insert into segments as kept (unit_id, stream_id, camera_id, sent_start, seq, sent_end,
      start_time, end_time, status, max_objects_count, status_at, created_at)
    select ${unitId}::bigint, ${streamId}::bigint, announced.*,
      ${new Date(receivedMs)}::timestamptz, ${new Date(receivedMs)}::timestamptz
    from unnest(
      ${cameras}::bigint[], ${starts}::timestamptz[],
      ${fragments.map(({ seq }) => seq)}::bigint[],
      ${fragments.map(({ endMs }) => new Date(endMs))}::timestamptz[],
      ${fragments.map((one) => new Date(one.startMs + one.timeMs - one.sentMs))}::timestamptz[],
      ${fragments.map((one) => new Date(one.endMs + one.timeMs - one.sentMs))}::timestamptz[],
      ${fragments.map(({ video }) => statusOf[video])}::text[],
      ${fragments.map(({ maxObjectsCount }) => maxObjectsCount ?? 0)}::smallint[]) as announced
    on conflict (unit_id, camera_id, sent_start) do update set sent_start = kept.sent_start
    returning id, camera_id, (extract(epoch from sent_start) * 1000)::bigint as start_ms,
      xmax = 0 as fresh`.execute(tx);
  return {
    ids: new Map(rows.map((row) => [`${row.camera_id}:${row.start_ms}`, row.id])),
    old: rows.filter((row) => !row.fresh).map((row) => row.id),
  };
}

async function insertRows(
  tx: Tx,
  { unitId, streamId }: Source,
  announced: readonly SegmentRecord[],
  cameraIds: ReadonlyMap<string, number>,
  ids: ReadonlyMap<string, number>,
): Promise<void> {
  const cameras = announced.map(({ camera }) => cameraIds.get(camera) ?? 0);
  const corrected = (ms: number, one: SegmentRecord): Date =>
    new Date(ms + one.timeMs - one.sentMs);
  await sql`
    insert into segment_announcements (unit_id, stream_id, seq, segment_id, camera_id, sent_time,
      time, sent_start, sent_end, start_time, end_time, video, max_objects_count)
    select ${unitId}::bigint, ${streamId}::bigint, * from unnest(
      ${announced.map(({ seq }) => seq)}::bigint[],
      ${announced.map((one, index) => ids.get(`${cameras[index]}:${one.startMs}`))}::bigint[],
      ${cameras}::bigint[],
      ${announced.map(({ sentMs }) => new Date(sentMs))}::timestamptz[],
      ${announced.map(({ timeMs }) => new Date(timeMs))}::timestamptz[],
      ${announced.map(({ startMs }) => new Date(startMs))}::timestamptz[],
      ${announced.map(({ endMs }) => new Date(endMs))}::timestamptz[],
      ${announced.map((one) => corrected(one.startMs, one))}::timestamptz[],
      ${announced.map((one) => corrected(one.endMs, one))}::timestamptz[],
      ${announced.map(({ video }) => video)}::text[],
      ${announced.map(({ maxObjectsCount }) => maxObjectsCount)}::smallint[])`.execute(tx);
}

// A fragment that was known before takes key, times and state of the announcement in force, unless its video is
// already on the way: then what the unit plans no longer matters.
async function bringForward(tx: Tx, fragmentId: number, atMs: number): Promise<void> {
  const inForce = await tx
    .selectFrom('segment_announcements')
    .selectAll()
    .where('segment_id', '=', fragmentId)
    .orderBy(sql`array_position(array['adding', 'kept', 'queued'], video)`, 'desc')
    .orderBy('sent_time', 'desc')
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
  const { status } = await tx
    .updateTable('segments')
    .set({
      stream_id: inForce.stream_id,
      seq: inForce.seq,
      sent_end: inForce.sent_end,
      start_time: inForce.start_time,
      end_time: inForce.end_time,
      max_objects_count: inForce.max_objects_count ?? 0,
    })
    .where('id', '=', fragmentId)
    .returning('status')
    .executeTakeFirstOrThrow();
  const wanted = statusOf[inForce.video];
  const planned: readonly FragmentStatus[] = ['ADDING', 'LIVE'];
  if (planned.includes(status) && status !== wanted) {
    // Whoever is asked for what it is recording has answered.
    await cancelCommands(tx, fragmentId, atMs);
    await moveFragment(tx, fragmentId, wanted, { atMs });
  }
  // It was given up, and the unit is back with it.
  if (status === 'DOWNLOAD_FAIL' && wanted === 'ADDED') {
    await moveFragment(tx, fragmentId, 'DOWNLOADING_FROM_TASK', { atMs });
    await askAgain(tx, fragmentId, atMs);
  }
}
