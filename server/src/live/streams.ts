// Live streams. A stream is a row; it runs while somebody watches, and the unit sends it once for all viewers.
// Processes meet in the row: viewers postpone `wanted_until`, the unit sends HLS segments, a job ends unwanted streams.
import { LIVE_LEASE_MS, LIVE_START_MS } from '@ridewatch/contract/live';
import type { Db, Tx } from '../core/db/db.ts';
import { addJob } from '../core/jobs/jobs.ts';
import { insertCommand } from '../fetching/commands.ts';

/** A unit that sent nothing for this long gets the command again, ms. */
const QUIET_MS = 12_000;
const LOOK_AGAIN_MS = 5000;
/** Ended streams are kept for this long, ms. */
const REMEMBERED_MS = 24 * 3_600_000;

/** The running stream of a camera, locked. */
async function lockRunning(tx: Tx, cameraId: number) {
  return tx
    .selectFrom('live_streams')
    .selectAll()
    .where('camera_id', '=', cameraId)
    .where('ended_at', 'is', null)
    .forUpdate()
    .executeTakeFirst();
}

/** Starts the live stream of a camera, or joins the running one. @param camera with the unit of its bus */
export async function startStream(
  tx: Tx,
  camera: { id: number; unitId: number },
  nowMs: number,
): Promise<void> {
  const wantedUntil = new Date(nowMs + LIVE_START_MS);
  // Concurrent requests take turns; the second one joins. Inserts that reference the camera do not wait.
  await tx
    .selectFrom('cameras')
    .select('id')
    .where('id', '=', camera.id)
    .forNoKeyUpdate()
    .execute();
  const found = await lockRunning(tx, camera.id);
  // It should have ended long ago: its job was lost.
  const isLeft = found !== undefined && found.wanted_until.getTime() < nowMs - LOOK_AGAIN_MS;
  if (isLeft) await closeStream(tx, found.id, { failReason: null }, nowMs);
  const running = isLeft ? undefined : found;
  if (running !== undefined) {
    // Joining a stream that never arrived does not postpone its end.
    if (running.pushed_at === null) return;
    await tx
      .updateTable('live_streams')
      .set({ wanted_until: wantedUntil })
      .where('id', '=', running.id)
      .execute();
    return;
  }
  await tx
    .deleteFrom('live_streams')
    .where('camera_id', '=', camera.id)
    .where('ended_at', '<', new Date(nowMs - REMEMBERED_MS))
    .execute();
  const now = new Date(nowMs);
  const { id, key } = await tx
    .insertInto('live_streams')
    .values({
      camera_id: camera.id,
      unit_id: camera.unitId,
      started_at: now,
      asked_at: now,
      wanted_until: wantedUntil,
    })
    .returning(['id', 'key'])
    .executeTakeFirstOrThrow();
  await tellUnit(tx, 'start_live', { ...camera, key }, nowMs);
  await lookLater(tx, id);
}

async function tellUnit(
  tx: Tx,
  kind: 'start_live' | 'stop_live',
  { id, unitId, key }: { id: number; unitId: number; key: string },
  nowMs: number,
): Promise<void> {
  await tx
    .updateTable('unit_commands')
    .set({ finished_at: new Date(nowMs), result: 'cancelled' })
    .where('unit_id', '=', unitId)
    .where('live_key', '=', key)
    .where('finished_at', 'is', null)
    .execute();
  await insertCommand(tx, { unitId, kind, cameraId: id, liveKey: key, createdMs: nowMs });
}

function lookLater(tx: Tx, streamId: number): Promise<void> {
  return addJob(
    tx,
    'watch_live',
    { streamId },
    {
      key: `live:${streamId}`,
      delayMs: LOOK_AGAIN_MS,
      priority: -3,
    },
  );
}

/**
 * Records that somebody still watches. A write for each viewer and second would be too many, so the time is postponed
 * in steps.
 */
export async function renewLease(db: Db, streamId: number, nowMs: number): Promise<void> {
  await db
    .updateTable('live_streams')
    .set({ wanted_until: new Date(nowMs + LIVE_LEASE_MS) })
    .where('id', '=', streamId)
    .where('ended_at', 'is', null)
    .where('wanted_until', '<', new Date(nowMs + LIVE_LEASE_MS * 0.75))
    .execute();
}

/**
 * Records that a unit sends though none of its segments is whole yet: it is not told again, as if it had just been told.
 * @param nowMs the present, ms since 1970 UTC
 */
export async function noteSending(db: Db, streamId: number, nowMs: number): Promise<void> {
  await db
    .updateTable('live_streams')
    .set({ asked_at: new Date(nowMs) })
    .where('id', '=', streamId)
    .where('ended_at', 'is', null)
    .where('asked_at', '<', new Date(nowMs))
    .execute();
}

/** The unit reports that it cannot stream. @param said why, in its words */
export function failLiveStart(
  tx: Tx,
  key: string,
  said: string | undefined,
  nowMs: number,
): Promise<void> {
  return failStream(tx, key, { failReason: 'unit_failed', failDetail: said }, nowMs);
}

/** Ends a running stream that has failed. */
export async function failStream(
  tx: Tx,
  key: string,
  end: StreamEnd,
  nowMs: number,
): Promise<void> {
  const stream = await tx
    .selectFrom('live_streams')
    .select('id')
    .where('key', '=', key)
    .where('ended_at', 'is', null)
    .forUpdate()
    .executeTakeFirst();
  if (stream === undefined) return;
  await closeStream(tx, stream.id, end, nowMs);
}

/** How a stream ends. */
export interface StreamEnd {
  /** Null unless it failed. */
  readonly failReason:
    | 'no_answer'
    | 'unit_failed'
    | 'not_a_video'
    | 'no_channel'
    | 'live_not_set_up'
    | null;
  /** The unit's own words about it. */
  readonly failDetail?: string | undefined;
}

async function closeStream(tx: Tx, id: number, end: StreamEnd, nowMs: number): Promise<void> {
  await tx
    .updateTable('live_streams')
    .set({
      ended_at: new Date(nowMs),
      fail_reason: end.failReason,
      fail_detail: end.failDetail ?? null,
      playlist: null,
    })
    .where('id', '=', id)
    .execute();
  await tx.deleteFrom('live_pieces').where('stream_id', '=', id).execute();
}

/** Ends the running streams of a unit that leaves its bus, and tells it: the pictures would be of another one. */
export async function endStreamsOf(tx: Tx, unitId: number, nowMs: number): Promise<void> {
  const running = await tx
    .selectFrom('live_streams')
    .select(['id', 'camera_id', 'key'])
    .where('unit_id', '=', unitId)
    .where('ended_at', 'is', null)
    .orderBy('id')
    .forUpdate()
    .execute();
  for (const { id, camera_id, key } of running) {
    await closeStream(tx, id, { failReason: null }, nowMs);
    await tellUnit(tx, 'stop_live', { id: camera_id, unitId, key }, nowMs);
  }
}

/** Ends a stream without viewers, and repeats the command to a silent unit. Runs again as long as the stream does. */
export async function watchStream(tx: Tx, streamId: number, nowMs: number): Promise<void> {
  const stream = await tx
    .selectFrom('live_streams')
    .selectAll()
    .where('id', '=', streamId)
    .where('ended_at', 'is', null)
    .forUpdate()
    .executeTakeFirst();
  if (stream === undefined) return;
  const camera = { id: stream.camera_id, unitId: stream.unit_id, key: stream.key };
  if (stream.wanted_until.getTime() <= nowMs) {
    const failReason = stream.pushed_at === null ? 'no_answer' : null;
    await closeStream(tx, stream.id, { failReason }, nowMs);
    await tellUnit(tx, 'stop_live', camera, nowMs);
    return;
  }
  const heardMs = Math.max(stream.asked_at.getTime(), stream.pushed_at?.getTime() ?? 0);
  if (nowMs - heardMs >= QUIET_MS) {
    await tx
      .updateTable('live_streams')
      .set({ asked_at: new Date(nowMs) })
      .where('id', '=', stream.id)
      .execute();
    await tellUnit(tx, 'start_live', camera, nowMs);
  }
  await lookLater(tx, stream.id);
}
