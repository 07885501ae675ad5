// Stores announcements of fragments. Several may name one fragment (same unit, camera and start as sent): it is being recorded,
// then kept on the registrar or queued for upload. All are stored, in any order of arrival. The furthest one says the state;
// number and end are those of the latest after the recording, until its times are settled.

import type { FragmentStatus } from '@ridewatch/contract/fragment-states';
import { sql } from 'kysely';
import type { Tx } from '../../core/db/db.ts';
import { noteCounted } from '../../counts/rebuild-hours.ts';
import { cancelCommands } from '../../fetching/commands.ts';
import { joinAnnounced } from '../../fetching/preloads.ts';
import { askForAllAgain } from '../../fetching/tries.ts';
import { moveFragments } from '../../fragments/state.ts';
import { isPossible } from './place-times.ts';
import type { AnnouncementRecord } from './records.ts';
import { HAS_SETTLED_TIMES } from './settled-times.ts';
import type { Source } from './store-traffic.ts';

type Video = AnnouncementRecord['video'];

const statusOf: Readonly<Record<Video, FragmentStatus>> = {
  adding: 'ADDING',
  kept: 'LIVE',
  queued: 'ADDED',
};

/**
 * Stores announcements and their fragments.
 * @param cameraIds the cameras of the unit's bus by key
 * @param receivedMs the server's clock at the batch's arrival
 * @returns old starts and ends of fragments that were known before, ms since 1970 UTC
 */
export async function insertAnnouncements(
  tx: Tx,
  source: Source,
  announced: readonly AnnouncementRecord[],
  cameraIds: ReadonlyMap<string, number>,
  receivedMs: number,
): Promise<number[]> {
  if (announced.length === 0) return [];
  const groups = groupByFragment(announced, cameraIds);
  const known = await findKnown(tx, source.unitId, groups, cameraIds);
  const fresh = groups.filter((group) => !known.has(group));
  const ids = new Map([
    ...known,
    ...(await insertFragments(tx, source, fresh, cameraIds, receivedMs)),
  ]);
  const idOf = new Map(groups.flatMap((group) => group.map((one) => [one, ids.get(group)])));
  const old = [...new Set(known.values())];
  await insertRows(tx, source, announced, cameraIds, idOf);
  const before = await listEdges(tx, old);
  const queued = new Set(
    groups.flatMap((group) => {
      const id = known.get(group);
      return id !== undefined && group.some(({ video }) => video === 'queued') ? [id] : [];
    }),
  );
  await bringForward(tx, old, queued, receivedMs);
  await noteCounted(tx, old);
  await joinAnnounced(tx, source.unitId, [...new Set(ids.values())], receivedMs);
  return before;
}

/** Announcements of one fragment. */
type Group = readonly AnnouncementRecord[];

/** The same start names one fragment while the offset of the clock changes by no more, ms. */
const SAME_START_MS = 24 * 3_600_000;
/** The same where the start is impossible: such a clock starts anew with the unit, ms. */
const SAME_BOOT_MS = 10 * 60_000;

const startOf = ({ startMs, timeMs, sentMs }: AnnouncementRecord): number =>
  startMs + timeMs - sentMs;

function isSameStart(startMs: number, one: number, other: number): boolean {
  const mostMs = isPossible(startMs, Math.max(one, other)) ? SAME_START_MS : SAME_BOOT_MS;
  return Math.abs(one - other) <= mostMs;
}

function groupByFragment(
  announced: readonly AnnouncementRecord[],
  cameraIds: ReadonlyMap<string, number>,
): Group[] {
  const bySent = Map.groupBy(
    announced,
    ({ camera, startMs }) => `${cameraIds.get(camera)}:${startMs}`,
  );
  return [...bySent.values()].flatMap((same) => {
    const groups: AnnouncementRecord[][] = [];
    for (const one of same.toSorted((a, b) => startOf(a) - startOf(b))) {
      const last = groups.at(-1);
      const first = last?.[0];
      const isSame = first !== undefined && isSameStart(one.startMs, startOf(first), startOf(one));
      if (isSame) last?.push(one);
      else groups.push([one]);
    }
    return groups;
  });
}

// The fragments that announcements name, of which the nearest in time is meant.
async function findKnown(
  tx: Tx,
  unitId: number,
  groups: readonly Group[],
  cameraIds: ReadonlyMap<string, number>,
): Promise<Map<Group, number>> {
  const firsts = groups.flatMap(([one]) => one ?? []);
  const { rows } = await sql<{ id: number; camera_id: number; sent_start: Date; start_time: Date }>`
    select id, camera_id, sent_start, start_time from segments
    where unit_id = ${unitId} and (camera_id, sent_start) in (select * from unnest(
      ${firsts.map(({ camera }) => cameraIds.get(camera) ?? 0)}::bigint[],
      ${firsts.map(({ startMs }) => new Date(startMs))}::timestamptz[]))`.execute(tx);
  const named = Map.groupBy(rows, (row) => `${row.camera_id}:${row.sent_start.getTime()}`);
  const known = new Map<Group, number>();
  for (const group of groups) {
    const [one] = group;
    if (one === undefined) continue;
    const startMs = startOf(one);
    const awayMs = (row: { start_time: Date }): number =>
      Math.abs(row.start_time.getTime() - startMs);
    const [nearest] = (named.get(`${cameraIds.get(one.camera)}:${one.startMs}`) ?? []).sort(
      (a, b) => awayMs(a) - awayMs(b),
    );
    if (nearest === undefined) continue;
    if (isSameStart(one.startMs, nearest.start_time.getTime(), startMs)) {
      known.set(group, nearest.id);
    }
  }
  return known;
}

// It locks them, so that nobody asks a registrar for one until its times are settled. They may get other numbers, which are a
// key: a weaker lock would grow later, in another order than that of the ids.
async function listEdges(tx: Tx, fragmentIds: readonly number[]): Promise<number[]> {
  if (fragmentIds.length === 0) return [];
  const rows = await tx
    .selectFrom('segments')
    .select(['start_time', 'end_time'])
    .where('id', 'in', fragmentIds)
    .orderBy('id')
    .forUpdate()
    .execute();
  return rows.flatMap(({ start_time, end_time }) => [start_time.getTime(), end_time.getTime() - 1]);
}

const order: readonly Video[] = ['adding', 'kept', 'queued'];

// The latest announcement of a new fragment, with the state of the furthest.
function inForce(same: Group): AnnouncementRecord {
  const [latest, ...rest] = [...same].sort(
    (a, b) =>
      Number(a.video === 'adding') - Number(b.video === 'adding') ||
      b.sentMs - a.sentMs ||
      b.seq - a.seq,
  );
  if (latest === undefined) throw new Error(`no announcement among ${rest.length}`);
  const far = Math.max(...same.map(({ video }) => order.indexOf(video)));
  return { ...latest, video: order[far] ?? latest.video };
}

async function insertFragments(
  tx: Tx,
  { unitId, streamId }: Source,
  groups: readonly Group[],
  cameraIds: ReadonlyMap<string, number>,
  receivedMs: number,
): Promise<[Group, number][]> {
  if (groups.length === 0) return [];
  const fragments = groups.map(inForce);
  const { rows } = await sql<{ id: number; seq: number }>`
    insert into segments (unit_id, stream_id, camera_id, sent_start, seq, sent_end,
      start_time, end_time, status, max_objects_count, status_at, created_at)
    select ${unitId}::bigint, ${streamId}::bigint, announced.*,
      ${new Date(receivedMs)}::timestamptz, ${new Date(receivedMs)}::timestamptz
    from unnest(
      ${fragments.map(({ camera }) => cameraIds.get(camera) ?? 0)}::bigint[],
      ${fragments.map(({ startMs }) => new Date(startMs))}::timestamptz[],
      ${fragments.map(({ seq }) => seq)}::bigint[],
      ${fragments.map(({ endMs }) => new Date(endMs))}::timestamptz[],
      ${fragments.map((one) => new Date(startOf(one)))}::timestamptz[],
      ${fragments.map((one) => new Date(one.endMs + one.timeMs - one.sentMs))}::timestamptz[],
      ${fragments.map(({ video }) => statusOf[video])}::text[],
      ${fragments.map(({ maxObjectsCount }) => maxObjectsCount ?? 0)}::smallint[]) as announced
    returning id, seq`.execute(tx);
  const bySeq = new Map(rows.map(({ id, seq }) => [seq, id]));
  return groups.flatMap((group, n): [Group, number][] => {
    const id = bySeq.get(fragments[n]?.seq ?? -1);
    return id === undefined ? [] : [[group, id]];
  });
}

async function insertRows(
  tx: Tx,
  { unitId, streamId }: Source,
  announced: readonly AnnouncementRecord[],
  cameraIds: ReadonlyMap<string, number>,
  ids: ReadonlyMap<AnnouncementRecord, number | undefined>,
): Promise<void> {
  const cameras = announced.map(({ camera }) => cameraIds.get(camera) ?? 0);
  const corrected = (ms: number, one: AnnouncementRecord): Date =>
    new Date(ms + one.timeMs - one.sentMs);
  await sql`
    insert into segment_announcements (unit_id, stream_id, seq, segment_id, camera_id, sent_time,
      time, sent_start, sent_end, start_time, end_time, video, max_objects_count)
    select ${unitId}::bigint, ${streamId}::bigint, * from unnest(
      ${announced.map(({ seq }) => seq)}::bigint[],
      ${announced.map((one) => ids.get(one))}::bigint[],
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

// Known fragments take key and times of the latest announcement: a file that was announced while it was written is longer
// by now. Once their times are settled, one with another end changes nothing, unless they have none but of the recording. They
// take the state of the furthest, and only while ADDING or LIVE: afterwards the server decides. One statement updates all,
// because a registrar announces thousands.
async function bringForward(
  tx: Tx,
  fragmentIds: readonly number[],
  queuedNow: ReadonlySet<number>,
  atMs: number,
): Promise<void> {
  if (fragmentIds.length === 0) return;
  const { rows } = await sql<{ id: number; status: FragmentStatus; video: Video }>`
    with named as (
      select segment_announcements.*, array_position(${[...order]}::text[], video) as far,
        ${HAS_SETTLED_TIMES} and segment_announcements.sent_end = segments.sent_end as stays
      from segment_announcements join segments on segments.id = segment_id
      where segment_id = any(${[...fragmentIds]}::bigint[])
    ), latest as (
      select distinct on (segment_id) segment_id, stream_id, seq, sent_end, start_time, end_time,
        coalesce(max_objects_count, 0) as max_objects_count
      from named order by segment_id, video = 'adding', stays desc, sent_time desc, seq desc
    ), furthest as (
      select segment_id, (${[...order]}::text[])[max(far)] as video from named group by segment_id
    )
    update segments set stream_id = latest.stream_id, seq = latest.seq,
      sent_end = latest.sent_end, start_time = latest.start_time,
      end_time = latest.end_time, max_objects_count = latest.max_objects_count
    from latest join furthest using (segment_id) where segments.id = latest.segment_id
    returning segments.id, segments.status, furthest.video`.execute(tx);
  const idsOf = (isMeant: (status: FragmentStatus, wanted: FragmentStatus) => boolean): number[] =>
    rows.filter(({ status, video }) => isMeant(status, statusOf[video])).map(({ id }) => id);
  const isPlanned = (status: FragmentStatus): boolean => status === 'ADDING' || status === 'LIVE';
  const planned = idsOf((status, wanted) => isPlanned(status) && status !== wanted);
  // Cancel requests from the time of the recording: it has ended.
  if (planned.length > 0) await cancelCommands(tx, planned, atMs);
  for (const to of ['ADDING', 'LIVE', 'ADDED'] as const) {
    const moved = idsOf((status, wanted) => isPlanned(status) && status !== to && wanted === to);
    await moveFragments(tx, moved, to, { atMs });
  }
  // The server had given these fragments up; the unit has just announced their upload again.
  const back = idsOf((status) => status === 'DOWNLOAD_FAIL').filter((id) => queuedNow.has(id));
  if (back.length === 0) return;
  await moveFragments(tx, back, 'DOWNLOADING_FROM_TASK', { atMs });
  await askForAllAgain(tx, back, atMs);
}
