import { leastOf, mostOf } from '@ridewatch/contract/extremes';
import { maySendSource, playbackOf } from '@ridewatch/contract/fragment-states';
import type { Fragment } from '@ridewatch/contract/fragments';
import { MAX_FRAGMENT_MS } from '@ridewatch/contract/unit';
import { findFragment } from '../access/fragment.ts';
import type { Db } from '../core/db/db.ts';
import { notFound } from '../core/errors.ts';
import type { TokenKeys } from '../core/signing-keys.ts';
import type { Holder, Viewer } from '../core/viewer.ts';
import { assignEvents } from '../counts/assign.ts';
import { listEventsUpTo } from '../counts/day-events.ts';
import { countOf, type DoorEvent } from '../counts/events.ts';
import { type FragmentWithCounts, listFragments, type VideoRow } from '../counts/fragments.ts';
import { signVideo, type Variant } from '../media/serving/sign.ts';
import { truncationOf } from '../media/timeline.ts';

/** How video addresses are signed for one session. */
export interface Signing {
  readonly keys: TokenKeys;
  readonly holder: Holder;
  readonly nowMs: number;
}

/** The answer for one fragment. */
export function fragmentOf(
  row: FragmentWithCounts,
  events: readonly DoorEvent[],
  signing: Signing,
): Fragment {
  const counts = countOf(events);
  const sign = (variant: Variant): string =>
    signVideo(signing.keys, { fragmentId: row.id, variant, ...signing.holder }, signing.nowMs);
  const { video } = row;
  const mayDownload = row.hasSource && maySendSource(row.status, row.live);
  return {
    id: row.id,
    deviceId: row.unitId,
    cameraId: row.cameraId,
    start_time: new Date(row.startMs).toISOString(),
    end_time: new Date(row.endMs).toISOString(),
    status: row.status,
    fail_reason: row.failReason,
    fail_detail: row.failDetail,
    next_try_at: row.nextTryAt?.toISOString() ?? null,
    progress: row.progress,
    stopped: row.isStopped,
    download: mayDownload ? `/api/download/${row.id}?processed=0&hash=${sign('source')}` : null,
    download_playable:
      video === null ? null : `/api/download/${row.id}?processed=1&hash=${sign('playable')}`,
    playback_uri: video === null ? null : playbackAddress(row, sign),
    video: video === null ? null : videoOf(row, video, sign),
    entered: counts.entered,
    exited: counts.exited,
    entered_manual: { adult: row.entered, kids: row.enteredKids },
    exited_manual: { adult: row.exited, kids: row.exitedKids },
    max_objects_count: row.maxObjectsCount,
    reviewed_at: row.reviewedAt?.toISOString() ?? null,
    reviewed_by: row.reviewedBy,
    kept: row.kept,
    video_deleted_at: row.deletedAt?.toISOString() ?? null,
    video_deleted_for: row.deletedFor,
    info: shownInfoOf(row),
    events: events.map(({ timeMs, direction, count: people }) => ({
      offset_ms: timeMs - row.startMs,
      entered: direction === 'entered' ? people : 0,
      exited: direction === 'exited' ? people : 0,
    })),
  };
}

// The file that was refused last is the server's own note.
function shownInfoOf({ info: { refused: _, ...shown } }: FragmentWithCounts): Fragment['info'] {
  return shown;
}

function playbackAddress(row: FragmentWithCounts, sign: (variant: Variant) => string): string {
  return playbackOf(row.status, row.live) === 'stream'
    ? `/api/video_feed2/${row.id}?hash=${sign('stream')}`
    : `/api/video_feed/${row.id}?processed=1&hash=${sign('playable')}`;
}

function videoOf(
  { id, startMs, endMs }: FragmentWithCounts,
  { sprite, ...video }: VideoRow,
  sign: (variant: Variant) => string,
): NonNullable<Fragment['video']> {
  const uri = `/api/segments/preview/${id}?hash=`;
  const durationMs = video.duration_ms ?? 0;
  const truncated = truncationOf({ durationMs, timeMap: video.time_map }, endMs - startMs);
  return {
    duration_ms: durationMs,
    width: video.width ?? 0,
    height: video.height ?? 0,
    codec: video.codec ?? '',
    time_map: video.time_map,
    truncated,
    preview: sprite === null ? null : { ...sprite, uri: uri + sign('preview') },
  };
}

/**
 * The fragments of one camera that touch a period, with their counts.
 * @param camera with its bus
 * @param field that named the period; without it there is no limit
 * @throws AppError too_large, which names that field
 */
export async function listCameraFragments(
  db: Db,
  camera: { id: number; busId: number },
  fromMs: number,
  toMs: number,
  signing: Signing,
  field?: string,
): Promise<Fragment[]> {
  // Earlier fragments of the door may own events of the first ones, so they are read and then dropped.
  const rows = await listFragments(
    db,
    { cameraId: camera.id },
    fromMs - MAX_FRAGMENT_MS,
    toMs,
    field,
  );
  const wanted = rows.filter((row) => row.endMs > fromMs);
  const firstMs = leastOf(rows, (row) => row.startMs);
  const lastMs = mostOf(rows, (row) => row.endMs);
  const counts = rows.some((row) => row.door !== null);
  const events = counts ? await listEventsUpTo(db, camera.busId, firstMs, lastMs, field) : [];
  const assigned = assignEvents(rows, events);
  return wanted.map((row) => fragmentOf(row, assigned.get(row.id) ?? [], signing));
}

/** The answer of one fragment. @throws AppError not_found */
export async function findFragmentAnswer(
  db: Db,
  viewer: Viewer,
  fragmentId: number,
  keys: TokenKeys,
  nowMs: number,
): Promise<Fragment> {
  const fragment = await findFragment(db, viewer, fragmentId);
  const { start_time, end_time } = await db
    .selectFrom('segments')
    .select(['start_time', 'end_time'])
    .where('id', '=', fragment.id)
    .executeTakeFirstOrThrow();
  const camera = { id: fragment.cameraId, busId: fragment.busId };
  const found = await listCameraFragments(db, camera, start_time.getTime(), end_time.getTime(), {
    keys,
    holder: viewer,
    nowMs,
  });
  const answer = found.find(({ id }) => id === fragmentId);
  if (answer === undefined) throw notFound();
  return answer;
}
