// Why a file is shorter than its period: it is truncated, or its recorder writes too few frames a second and gives them
// the times of the usual rate, so that the clock of the file runs fast. One file alone does not tell. In doubt it is
// truncated, because a user who sees a gap can fetch the video again, and one who sees a wrong time cannot know.
import type { TimeMap } from '@ridewatch/contract/time-map';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../core/db/db.ts';
import { isCutShort } from '../media/cut-short.ts';
import { isSameLength, isShort, isTimedBySound, mapTime } from '../media/timeline.ts';
import type { VideoFacts } from '../media/video-facts.ts';

/** Fragments before and after one in which files are looked for. */
const MOST_FRAGMENTS = 200;
/** Files before and after one that count, the nearest ones. */
const MOST_FILES = 8;
/** Fewer files of the same pace prove nothing. */
const FEWEST_ALIKE = 3;
/** Two paces are the same within this fraction: a recorder that is short of time writes a varying number of frames. */
const ALIKE_PART = 0.1;
/** The fastest pace of a clock: a recorder that writes one frame a second, with the times of 25. */
const MOST_PACE = 25;

/** A fragment of a camera and its period. */
export interface Period {
  readonly fragmentId: number;
  readonly cameraId: number;
  readonly startTime: Date;
  /** Length. */
  readonly wallMs: number;
}

/** A file of a camera. */
export interface CameraFile extends Period {
  /** Length by the file's own clock. */
  readonly lengthMs: number;
  /** Shorter than its period, and nothing in it says why. */
  readonly isUnclear: boolean;
}

/** The time maps of an unclear file. */
export interface UnclearMaps {
  readonly truncated: TimeMap | null;
  readonly fast: TimeMap | null;
}

/**
 * Whether the clock of an unclear file runs fast: most files around it that can tell have the same pace, and there are
 * enough of them. Recordings that break off do so at different places.
 */
export function runsFast(
  file: Pick<CameraFile, 'wallMs' | 'lengthMs'>,
  others: readonly Pick<CameraFile, 'wallMs' | 'lengthMs' | 'isUnclear'>[],
): boolean {
  const pace = file.wallMs / file.lengthMs;
  if (!(pace <= MOST_PACE)) return false;
  const isAlike = (ms: number): boolean => Math.abs(ms / pace - 1) <= ALIKE_PART;
  const alike = others.filter((one) => one.isUnclear && isAlike(one.wallMs / one.lengthMs));
  // A whole file tells only if this pace would have made it shorter.
  const against = others.filter(({ isUnclear, wallMs, lengthMs }) =>
    isUnclear
      ? !isAlike(wallMs / lengthMs)
      : isSameLength(lengthMs, wallMs) && !isSameLength(wallMs / pace, wallMs),
  );
  return alike.length >= FEWEST_ALIKE && alike.length > against.length;
}

/** The map of a playable file between wall time and media time, and both candidates if the file does not tell. */
export interface Timing {
  readonly timeMap: TimeMap | null;
  readonly timeMaps?: UnclearMaps;
}

/**
 * Decides how the time of a received file runs.
 * @param file the received file
 * @param playable properties of the playable file made from it
 */
export async function timeFile(
  db: Db,
  period: Period,
  { file, facts }: { readonly file: string; readonly facts: VideoFacts },
  playable: VideoFacts,
): Promise<Timing> {
  const { wallMs } = period;
  const whole = mapTime(facts, playable, wallMs);
  if (!isShort(facts, wallMs)) return { timeMap: whole };
  // A truncated video shows the start of its period in real time.
  const lengthMs = Math.min(wallMs, facts.durationMs);
  const truncated = mapTime(facts, playable, lengthMs);
  if (isTimedBySound(facts) || (await isCutShort(file, facts.container))) {
    return { timeMap: truncated };
  }
  const isFast = runsFast({ wallMs, lengthMs }, await listFilesAround(db, period));
  return { timeMap: isFast ? whole : truncated, timeMaps: { truncated, fast: whole } };
}

/**
 * A fragment's period.
 * @param isLocked locks the fragment until the transaction ends
 * @throws NoResultError when there is no such fragment
 */
export async function readPeriod(db: Db, fragmentId: number, isLocked = false): Promise<Period> {
  const { camera_id, start_time, end_time } = await db
    .selectFrom('segments')
    .select(['camera_id', 'start_time', 'end_time'])
    .where('id', '=', fragmentId)
    .$if(isLocked, (query) => query.forUpdate())
    .executeTakeFirstOrThrow();
  const wallMs = end_time.getTime() - start_time.getTime();
  return { fragmentId, cameraId: camera_id, startTime: start_time, wallMs };
}

/** The files of a fragment's camera that are nearest to it, before and after, without its own. */
export async function listFilesAround(db: Db, period: Period): Promise<CameraFile[]> {
  return (await filesAround(period).execute(db)).rows;
}

/** The query for them. */
export function filesAround(period: Period): RawBuilder<CameraFile> {
  const side = (isBefore: boolean) => {
    const order = sql.raw(isBefore ? 'desc' : 'asc');
    return sql`(select near.id as "fragmentId", ${period.cameraId}::bigint as "cameraId", start_time as "startTime",
        (1000 * extract(epoch from end_time - start_time))::float8 as "wallMs",
        coalesce(source.duration_ms, playable.duration_ms)::float8 as "lengthMs",
        playable.time_maps is not null as "isUnclear"
      from (select id, start_time, end_time from segments
        where camera_id = ${period.cameraId} and id <> ${period.fragmentId}
          and start_time ${sql.raw(isBefore ? '<=' : '>')} ${period.startTime}
        order by start_time ${order} limit ${MOST_FRAGMENTS}) as near
      join segment_files as playable on playable.segment_id = near.id and playable.variant = 'playable'
      left join segment_files as source on source.segment_id = near.id and source.variant = 'source'
      where coalesce(source.duration_ms, playable.duration_ms) > 0
      order by start_time ${order} limit ${MOST_FILES})`;
  };
  return sql<CameraFile>`${side(true)} union all ${side(false)}`;
}
