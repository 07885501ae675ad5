// Whether the files of a camera keep the time of the street. A file that is shorter than its period is then truncated;
// of a camera whose recorder writes too few frames a second, every file is.
import type { TimeMap } from '@ridewatch/contract/time-map';
import type { Db } from '../core/db/db.ts';
import { isSame } from '../media/timeline.ts';

/** Fragments before this one that are looked at. */
const MOST_FRAGMENTS = 200;
/** Files of them that count, the latest. */
const MOST_FILES = 8;
/** Fewer prove nothing. */
const FEWEST_FILES = 3;

/** Whether the last files of a fragment's camera lasted as long as their periods. */
export async function keepsTime(db: Db, fragmentId: number): Promise<boolean> {
  const before = await db
    .selectFrom((eb) =>
      eb
        .selectFrom('segments')
        .innerJoin('segments as own', (join) =>
          join
            .onRef('own.camera_id', '=', 'segments.camera_id')
            .onRef('segments.start_time', '<', 'own.start_time'),
        )
        .select(['segments.id', 'segments.start_time', 'segments.end_time'])
        .where('own.id', '=', fragmentId)
        .orderBy('segments.start_time', 'desc')
        .limit(MOST_FRAGMENTS)
        .as('earlier'),
    )
    .innerJoin('segment_files', (join) =>
      join
        .onRef('segment_files.segment_id', '=', 'earlier.id')
        .on('segment_files.variant', '=', 'playable'),
    )
    .select(['start_time', 'end_time', 'duration_ms', 'time_map'])
    .orderBy('start_time', 'desc')
    .limit(MOST_FILES)
    .execute();
  const isRight = before.filter(({ start_time, end_time, duration_ms }) =>
    isSame(duration_ms ?? 0, end_time.getTime() - start_time.getTime()),
  );
  // Spread over its period. A truncated file is not, and says nothing about the clock.
  const isFast = before.some(({ time_map }) => (time_map as TimeMap | null)?.length === 2);
  return !isFast && isRight.length >= FEWEST_FILES;
}
