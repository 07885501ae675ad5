import type { FailReason } from '@ridewatch/contract/fail-reasons';
import type { FragmentStatus } from '@ridewatch/contract/fragment-states';
import type { ThumbnailSheet } from '@ridewatch/contract/fragments';
import type { TimeMap } from '@ridewatch/contract/time-map';
import { sql } from 'kysely';
import type { Db } from '../core/db/db.ts';
import { AppError } from '../core/errors.ts';
import { isOneOf, touches, type Which } from './day-events.ts';
import type { CountedFragment } from './effective.ts';

/** A fragment with everything that its answer needs except the counts. */
export interface FragmentWithCounts extends CountedFragment {
  readonly cameraId: number;
  readonly live: boolean;
  readonly status: FragmentStatus;
  readonly failReason: FailReason | null;
  readonly failDetail: string | null;
  readonly nextTryAt: Date | null;
  readonly maxObjectsCount: number;
  readonly reviewedAt: Date | null;
  readonly reviewedBy: string | null;
  readonly kept: boolean;
  /** When and why its video was deleted. */
  readonly deletedAt: Date | null;
  readonly deletedFor: 'age' | 'space' | null;
  readonly info: Record<string, unknown>;
  /** 0 to 100, while the file is on its way or being counted. */
  readonly progress: number | null;
  /** Its upload gets no bytes. */
  readonly isStopped: boolean;
  readonly hasSource: boolean;
  /** Properties of the playable file; null while there is none. */
  readonly video: VideoRow | null;
}

/** Properties of a playable file. */
export interface VideoRow {
  readonly duration_ms: number | null;
  readonly width: number | null;
  readonly height: number | null;
  readonly codec: string | null;
  readonly time_map: TimeMap | null;
  readonly sprite: ThumbnailSheet | null;
}

/** Most fragments that one call reads. A day of a bus has some hundreds, one of a camera that always records 1,440. */
const MOST_FRAGMENTS = 20_000;
/**
 * Fragments that touch a period.
 * @param fromMs ms since 1970 UTC; fragments that end before it are left out
 * @param toMs end of the period, excluded
 * @param field that named the period; without it there is no limit
 * @throws AppError too_large, which names that field
 */
export async function listFragments(
  db: Db,
  which: Which,
  fromMs: number,
  toMs: number,
  field?: string,
): Promise<FragmentWithCounts[]> {
  const { rows } = await sql<FragmentWithCounts>`
    select segments.id, segments.unit_id as "unitId", camera_id as "cameraId", cameras.live,
      (extract(epoch from start_time) * 1000)::bigint as "startMs",
      (extract(epoch from end_time) * 1000)::bigint as "endMs",
      case when cameras.counts then cameras.door end as door,
      segments.status, fail_reason as "failReason", fail_detail as "failDetail",
      retry_at as "nextTryAt", max_objects_count as "maxObjectsCount", info,
      kept_at is not null as kept, video_deleted_at as "deletedAt", video_deleted_for as "deletedFor",
      reviewed_at as "reviewedAt", reviewers.login as "reviewedBy",
      case when segments.status = 'LOADING' then
        (select (100 * received_bytes / length_bytes)::int from uploads where segment_id = segments.id
         order by created_at desc limit 1)
        when segments.status = 'PROCESSING' then counting_percent end as progress,
      segments.status = 'LOADING' and exists (select from uploads
        where segment_id = segments.id and stopped_at is not null and finished_at is null) as "isStopped",
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
