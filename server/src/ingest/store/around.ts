// The records of a stream around some numbers, whose times are known.
import { sql } from 'kysely';
import type { Db } from '../../core/db/db.ts';
import { unpackPoints } from '../../positions/pack.ts';
import type { Timed } from './place-times.ts';

/** Numbers on each side that are looked at. */
export const NUMBERS = 1000;
/** Most records without a place, and most blocks of positions, that one look reads. */
const MOST_RECORDS = 20_000;
const MOST_BLOCKS = 700;
/** Positions are looked for this long before and after the arrival, ms. */
const AROUND_MS = 25 * 3_600_000;

/** Some numbers of a stream, and when they arrived, ms since 1970 UTC. */
export interface Span {
  readonly unitId: number;
  readonly streamId: number;
  readonly firstSeq: number;
  readonly lastSeq: number;
  readonly firstReceivedMs: number;
  readonly lastReceivedMs: number;
}

/**
 * Reads the stored records around numbers of a stream.
 * @returns them by ascending number, with their corrected times; undefined where there are more than a look may read,
 *   because a neighbour may be among the others
 */
export async function listAround(db: Db, span: Span): Promise<Timed[] | undefined> {
  const { unitId, streamId } = span;
  const [from, to] = [span.firstSeq - NUMBERS, span.lastSeq + NUMBERS];
  const part = (table: string) => sql`
    select seq, sent_time, time from ${sql.table(table)}
    where unit_id = ${unitId} and stream_id = ${streamId} and seq between ${from} and ${to}`;
  const { rows } = await sql<{ seq: number; sent_time: Date; time: Date }>`
    ${part('passenger_events')} union all ${part('camera_states')}
    union all ${part('segment_announcements')} limit ${MOST_RECORDS}`.execute(db);
  const blocks = await db
    .selectFrom('position_blocks')
    .select('points')
    .where('unit_id', '=', unitId)
    .where('last_time', '>', new Date(span.firstReceivedMs - AROUND_MS))
    .where('first_time', '<', new Date(span.lastReceivedMs + AROUND_MS))
    .orderBy('last_time')
    .limit(MOST_BLOCKS)
    .execute();
  if (rows.length === MOST_RECORDS || blocks.length === MOST_BLOCKS) return undefined;
  const points = blocks
    .flatMap((block) => unpackPoints(block.points))
    .filter((point) => point.streamId === streamId && point.seq >= from && point.seq <= to);
  return [
    ...rows.map(({ seq, sent_time, time }) => ({
      ...{ seq, sentMs: sent_time.getTime(), timeMs: time.getTime() },
    })),
    ...points.map(({ seq, sentMs, offsetMs }) => ({ seq, sentMs, timeMs: sentMs + offsetMs })),
  ].sort((a, b) => a.seq - b.seq);
}
