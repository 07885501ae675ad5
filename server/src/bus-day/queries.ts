import type { SegmentStatus } from '@ridewatch/contract/segment-states';
import { maySendSource, playbackOf } from '@ridewatch/contract/segment-states';
import type { Segment, Sprite } from '@ridewatch/contract/segments';
import type { TimeMap } from '@ridewatch/contract/time-map';
import { MAX_SEGMENT_MS } from '@ridewatch/contract/unit';
import { sql } from 'kysely';
import { findSegment } from '../access/access.ts';
import type { TokenKeys } from '../auth/tokens.ts';
import type { Viewer } from '../core/viewer.ts';
import { assignEvents } from '../counts/assign.ts';
import type { CountedFragment } from '../counts/effective.ts';
import { countOf, type DoorEvent } from '../counts/events.ts';
import {
  hasMoreEvents,
  isOneOf,
  listEvents,
  touches,
  type UnitEvent,
  type Which,
} from '../counts/queries.ts';
import type { Db } from '../core/db/db.ts';
import { AppError, notFound } from '../core/errors.ts';
import { leastOf, mostOf } from '../extremes.ts';
import { type Holder, signVideo, type Variant } from '../media/serving/sign.ts';

/** A fragment with everything that its answer needs but the counts. */
export interface FragmentRow extends CountedFragment {
  readonly cameraId: number;
  readonly live: boolean;
  readonly status: SegmentStatus;
  readonly failReason: string | null;
  readonly maxObjectsCount: number;
  readonly reviewedAt: Date | null;
  readonly reviewedBy: string | null;
  readonly kept: boolean;
  /** When its video was deleted, and why. */
  readonly deletedAt: Date | null;
  readonly deletedFor: 'age' | 'space' | null;
  readonly info: Record<string, unknown>;
  /** 0 to 100 of a file that is on its way or is being counted. */
  readonly progress: number | null;
  readonly hasSource: boolean;
  /** What was read from the playable file; null while there is none. */
  readonly video: VideoRow | null;
}

interface VideoRow {
  readonly duration_ms: number | null;
  readonly width: number | null;
  readonly height: number | null;
  readonly codec: string | null;
  readonly time_map: TimeMap | null;
  readonly sprite: Sprite | null;
}

/** Most fragments that one call reads; a day of a bus has some hundreds, one of a camera that always records 1,440. */
const MOST_FRAGMENTS = 20_000;
/** Most passenger events that one call reads; a day of a full bus has some thousands. */
const MOST_EVENTS = 100_000;

/**
 * Fragments that touch a stretch of time, with those that may have begun before it.
 * @param fromMs ms since 1970 UTC; fragments that end before it are left out
 * @param toMs first moment after the stretch
 * @param field what the stretch was asked for by; without it there is no limit
 * @throws AppError too_large, which names that field
 */
export async function listFragments(
  db: Db,
  which: Which,
  fromMs: number,
  toMs: number,
  field?: string,
): Promise<FragmentRow[]> {
  const { rows } = await sql<FragmentRow>`
    select segments.id, segments.unit_id as "unitId", camera_id as "cameraId", cameras.live,
      (extract(epoch from start_time) * 1000)::bigint as "startMs",
      (extract(epoch from end_time) * 1000)::bigint as "endMs",
      case when cameras.counts then cameras.door end as door,
      segments.status, fail_reason as "failReason", max_objects_count as "maxObjectsCount", info,
      kept_at is not null as kept, video_deleted_at as "deletedAt", video_deleted_for as "deletedFor",
      reviewed_at as "reviewedAt", reviewers.login as "reviewedBy",
      case when segments.status = 'LOADING' then
        (select (100 * received_bytes / length_bytes)::int from uploads where segment_id = segments.id
         order by created_at desc limit 1)
        when segments.status = 'PROCESSING' then counting_percent end as progress,
      exists (select from segment_files where segment_id = segments.id and variant = 'source') as "hasSource",
      (select json_build_object('duration_ms', playable.duration_ms, 'width', playable.width,
          'height', playable.height, 'codec', source.codec, 'time_map', playable.time_map,
          'sprite', preview.sprite)
        from segment_files as playable
        left join segment_files as source
          on source.segment_id = playable.segment_id and source.variant = 'source'
        left join segment_files as preview
          on preview.segment_id = playable.segment_id and preview.variant = 'preview'
        where playable.segment_id = segments.id and playable.variant = 'playable') as video,
      entered, exited, entered_kids as "enteredKids", exited_kids as "exitedKids"
    from cameras join segments on segments.camera_id = cameras.id
    left join manual_counts on manual_counts.segment_id = segments.id
    left join users as reviewers on reviewers.id = reviewed_by
    where ${isOneOf(which)} and ${touches(fromMs, toMs)}
    order by start_time, segments.id
    limit ${field === undefined ? null : MOST_FRAGMENTS + 1}::int`.execute(db);
  if (field !== undefined && rows.length > MOST_FRAGMENTS) {
    throw new AppError('too_large', `has more than ${MOST_FRAGMENTS} fragments of video`, {
      field,
    });
  }
  return rows;
}

/**
 * The events of a bus in a stretch of time, in its order.
 * @param field what the stretch was asked for by; without it there is no limit
 * @throws AppError too_large, which names that field
 */
export async function listEventsUpTo(
  db: Db,
  workplaceId: number,
  fromMs: number,
  toMs: number,
  field?: string,
): Promise<UnitEvent[]> {
  if (field !== undefined && (await hasMoreEvents(db, workplaceId, fromMs, toMs, MOST_EVENTS))) {
    throw new AppError('too_large', `has more than ${MOST_EVENTS} passenger events`, { field });
  }
  return listEvents(db, workplaceId, fromMs, toMs);
}

/** How addresses of video are made for one session of a user. */
export interface Signing {
  readonly keys: TokenKeys;
  readonly holder: Holder;
  readonly nowMs: number;
}

/** The answer for one fragment. */
export function segmentOf(
  row: FragmentRow,
  events: readonly DoorEvent[],
  signing: Signing,
): Segment {
  const counts = countOf(events);
  const sign = (variant: Variant): string =>
    signVideo(signing.keys, { segmentId: row.id, variant, ...signing.holder }, signing.nowMs);
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
    progress: row.progress,
    download: mayDownload ? `/api/download/${row.id}?processed=0&hash=${sign('source')}` : null,
    download_playable:
      video === null ? null : `/api/download/${row.id}?processed=1&hash=${sign('playable')}`,
    playback_uri: video === null ? null : playbackAddress(row, sign),
    video: video === null ? null : videoOf(row.id, video, sign),
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
    info: row.info,
    events: events.map(({ timeMs, direction, count: people }) => ({
      offset_ms: timeMs - row.startMs,
      entered: direction === 'entered' ? people : 0,
      exited: direction === 'exited' ? people : 0,
    })),
  };
}

function playbackAddress(row: FragmentRow, sign: (variant: Variant) => string): string {
  return playbackOf(row.status, row.live) === 'stream'
    ? `/api/video_feed2/${row.id}?hash=${sign('stream')}`
    : `/api/video_feed/${row.id}?processed=1&hash=${sign('playable')}`;
}

function videoOf(
  segmentId: number,
  { sprite, ...video }: VideoRow,
  sign: (variant: Variant) => string,
): NonNullable<Segment['video']> {
  const uri = `/api/segments/preview/${segmentId}?hash=`;
  return {
    duration_ms: video.duration_ms ?? 0,
    width: video.width ?? 0,
    height: video.height ?? 0,
    codec: video.codec ?? '',
    time_map: video.time_map,
    preview: sprite === null ? null : { ...sprite, uri: uri + sign('preview') },
  };
}

/**
 * The fragments of one camera that touch a stretch of time, with their counts.
 * @param camera with its bus
 * @param field what the stretch was asked for by; without it there is no limit
 * @throws AppError too_large, which names that field
 */
export async function listCameraSegments(
  db: Db,
  camera: { id: number; workplaceId: number },
  fromMs: number,
  toMs: number,
  signing: Signing,
  field?: string,
): Promise<Segment[]> {
  // Earlier fragments of the door may own events of the first ones, so they are read and left out again.
  const rows = await listFragments(
    db,
    { cameraId: camera.id },
    fromMs - MAX_SEGMENT_MS,
    toMs,
    field,
  );
  const wanted = rows.filter((row) => row.endMs > fromMs);
  const firstMs = leastOf(rows, (row) => row.startMs);
  const lastMs = mostOf(rows, (row) => row.endMs);
  const counts = rows.some((row) => row.door !== null);
  const events = counts ? await listEventsUpTo(db, camera.workplaceId, firstMs, lastMs, field) : [];
  const assigned = assignEvents(rows, events);
  return wanted.map((row) => segmentOf(row, assigned.get(row.id) ?? [], signing));
}

/**
 * One fragment as its calls answer it.
 * @throws AppError not_found
 */
export async function findSegmentAnswer(
  db: Db,
  viewer: Viewer,
  segmentId: number,
  keys: TokenKeys,
  nowMs: number,
): Promise<Segment> {
  const segment = await findSegment(db, viewer, segmentId);
  const { start_time, end_time } = await db
    .selectFrom('segments')
    .select(['start_time', 'end_time'])
    .where('id', '=', segment.id)
    .executeTakeFirstOrThrow();
  const camera = { id: segment.cameraId, workplaceId: segment.workplaceId };
  const found = await listCameraSegments(db, camera, start_time.getTime(), end_time.getTime(), {
    keys,
    holder: viewer,
    nowMs,
  });
  const answer = found.find(({ id }) => id === segmentId);
  if (answer === undefined) throw notFound();
  return answer;
}
