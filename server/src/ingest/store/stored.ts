// Stored records, for repeats: an equal repeat is acknowledged again, a different one refused.
import { sql } from 'kysely';
import type { Db } from '../../core/db/db.ts';
import { findStoredPoints, pointKey } from '../../positions/append.ts';
import type { StoredPoint } from '../../positions/pack.ts';
import { isPossible } from './place-times.ts';
import { type CheckedRecord, hasPlace, type PlacedRecord, type Sorted } from './records.ts';
import { includesSequence, type SequenceRanges } from './sequences.ts';

/** A position record in its stored form. */
export function pointOf(record: PlacedRecord, streamId: number): StoredPoint {
  const { sentMs, timeMs, seq, place, speedKmh, course, satellites, hdop } = record;
  return {
    sentMs,
    offsetMs: timeMs - sentMs,
    streamId,
    seq,
    latitudeE6: Math.round(place.latitude * 1e6),
    longitudeE6: Math.round(place.longitude * 1e6),
    speedE1: speedKmh === null ? null : Math.round(speedKmh * 10),
    course: course === null ? null : Math.round(course),
    satellites,
    hdopE1: hdop === null ? null : Math.round(hdop * 10),
  };
}

/** What is known of the stream of records. */
interface KnownStream {
  readonly unitId: number;
  readonly streamId: number;
  /** The numbers of positions without a fix. */
  readonly unplaced: SequenceRanges;
  /** The numbers of records whose times are not known: what is stored of them stands elsewhere. */
  readonly timeless: ReadonlySet<number>;
  /** The stream is the one of numbers made of times (timed-stream.ts). */
  readonly isTimed: boolean;
  /** There, the numbers of records that were kept aside and placed. */
  readonly placed: SequenceRanges;
}

/**
 * Finds records with known numbers that differ from the stored ones; the corrected time is no part of a record.
 * @param nowMs the present, ms since 1970 UTC
 * @returns their numbers
 */
export async function findOtherContent(
  tx: Db,
  { unitId, streamId, unplaced, timeless, isTimed, placed }: KnownStream,
  repeated: Sorted,
  cameraIds: ReadonlyMap<string, number>,
  nowMs: number,
): Promise<Set<number>> {
  const stored = new Map<number, string>();
  const table = async (
    name: 'passenger_events' | 'camera_states' | 'segment_announcements',
    records: readonly CheckedRecord[],
    content: ReturnType<typeof sql>,
  ): Promise<void> => {
    if (records.length === 0) return;
    const seqs = records.map(({ seq }) => seq);
    const { rows } = await sql<{ seq: number; content: unknown[] }>`
      select seq, jsonb_build_array(${content}) as content from ${sql.table(name)}
      where unit_id = ${unitId} and stream_id = ${streamId} and seq = any(${seqs}::bigint[])`.execute(
      tx,
    );
    for (const row of rows) stored.set(row.seq, JSON.stringify(row.content));
  };
  const ms = (column: string) => sql`(extract(epoch from ${sql.ref(column)}) * 1000)::bigint`;

  await table(
    'passenger_events',
    repeated.passengers,
    sql`${ms('sent_time')}, door, direction, passenger, count`,
  );
  await table('camera_states', repeated.cameraStates, sql`${ms('sent_time')}, camera_id, status`);
  await table(
    'segment_announcements',
    repeated.announcements,
    sql`${ms('sent_time')}, camera_id, ${ms('sent_start')}, ${ms('sent_end')}, video, max_objects_count`,
  );
  const points = await findStoredPoints(
    tx,
    unitId,
    repeated.positions.filter(hasPlace).map(({ seq, sentMs, timeMs }) => ({
      ...{ key: pointKey(streamId, seq), sentMs, timeMs },
      isOfWrongClock: timeless.has(seq) || !isPossible(sentMs, nowMs),
      isAsSent: isTimed && !timeless.has(seq),
    })),
    nowMs,
  );
  const differs = (seq: number, content: readonly unknown[]): boolean =>
    stored.get(seq) !== JSON.stringify(content);

  const other = new Set<number>();
  for (const { seq, sentMs, door, direction, passenger, count } of repeated.passengers) {
    // Placed, it has the number of its place.
    const isElsewhere = !stored.has(seq) && timeless.has(seq) && includesSequence(placed, seq);
    const isOther = differs(seq, [sentMs, door, direction, passenger, count]);
    if (isOther && !isElsewhere) other.add(seq);
  }
  for (const { seq, sentMs, camera, status } of repeated.cameraStates) {
    if (differs(seq, [sentMs, cameraIds.get(camera), status])) other.add(seq);
  }
  for (const record of repeated.announcements) {
    const { seq, sentMs, startMs, endMs, camera, video, maxObjectsCount } = record;
    const content = [sentMs, cameraIds.get(camera), startMs, endMs, video, maxObjectsCount];
    if (differs(seq, content)) other.add(seq);
  }
  for (const record of repeated.positions) {
    const point = points.get(pointKey(streamId, record.seq));
    const isSame = hasPlace(record)
      ? samePoint(point, pointOf(record, streamId))
      : includesSequence(unplaced, record.seq);
    if (!isSame) other.add(record.seq);
  }
  return other;
}

const CONTENT = [
  ...(['sentMs', 'streamId', 'seq', 'latitudeE6', 'longitudeE6'] as const),
  ...(['speedE1', 'course', 'satellites', 'hdopE1'] as const),
] satisfies (keyof StoredPoint)[];

/** Whether a point is the stored one. Its correction belongs to the batch, not to the record: a repeat may have another. */
export function samePoint(stored: StoredPoint | undefined, sent: StoredPoint): boolean {
  return stored !== undefined && CONTENT.every((field) => stored[field] === sent[field]);
}
