// What is stored of records that came before: a repeat is acknowledged again if it says the same, else refused.
import type { CameraStateRecord, PassengerRecord, PositionRecord } from '@ridewatch/contract/unit';
import { sql } from 'kysely';
import type { Db } from '../../core/db/db.ts';
import { findStoredPoints, pointKey } from '../../positions/append.ts';
import type { StoredPoint } from '../../positions/pack.ts';
import type { Incoming, SegmentIncoming } from '../http/incoming.ts';
import { includesSequence, type SequenceRanges } from './sequences.ts';

/** The records of a batch that belong together, each kind on its own. */
export interface Sorted {
  readonly positions: Incoming<PositionRecord>[];
  readonly passengers: Incoming<PassengerRecord>[];
  readonly cameraStates: Incoming<CameraStateRecord>[];
  readonly segments: SegmentIncoming[];
}

/** Puts records into their kinds. */
export function sortRecords(records: readonly (Incoming | SegmentIncoming)[]): Sorted {
  const sorted: Sorted = { positions: [], passengers: [], cameraStates: [], segments: [] };
  for (const incoming of records) {
    const { record } = incoming;
    if (record.type === 'position') sorted.positions.push({ ...incoming, record });
    else if (record.type === 'passenger') sorted.passengers.push({ ...incoming, record });
    else if (record.type === 'camera_state') sorted.cameraStates.push({ ...incoming, record });
    else if ('startMs' in incoming) sorted.segments.push(incoming);
  }
  return sorted;
}

type PlacedRecord = PositionRecord & { latitude: number; longitude: number };

/** A point without a fix, or at 0,0 where no bus drives, is acknowledged and not stored. */
export function hasPlace(incoming: Incoming<PositionRecord>): incoming is Incoming<PlacedRecord> {
  const { fix, latitude, longitude } = incoming.record;
  if (!fix || typeof latitude !== 'number' || typeof longitude !== 'number') return false;
  return latitude !== 0 || longitude !== 0;
}

/** Whether nothing is stored of a record but its number. */
export function isUnplaced(incoming: Incoming): boolean {
  const { record } = incoming;
  return record.type === 'position' && !hasPlace({ ...incoming, record });
}

/** A position record in its stored form. */
export function pointOf(
  { record, sentMs, timeMs }: Incoming<PlacedRecord>,
  streamId: number,
): StoredPoint {
  const tenths = (value: number | undefined): number | null =>
    value === undefined ? null : Math.round(value * 10);
  return {
    sentMs,
    offsetMs: timeMs - sentMs,
    streamId,
    seq: record.seq,
    latitudeE6: Math.round(record.latitude * 1e6),
    longitudeE6: Math.round(record.longitude * 1e6),
    speedE1: tenths(record.speed_kmh),
    course: record.course === undefined ? null : Math.round(record.course),
    satellites: record.satellites ?? null,
    hdopE1: tenths(record.hdop),
  };
}

/**
 * Which of these records, whose numbers are in already, say something else than what is stored.
 * @returns their numbers
 */
export async function findOtherContent(
  tx: Db,
  { unitId, streamId, unplaced }: { unitId: number; streamId: number; unplaced: SequenceRanges },
  repeated: Sorted,
  cameraIds: ReadonlyMap<string, number>,
): Promise<Set<number>> {
  const stored = new Map<number, string>();
  const table = async (
    name: 'passenger_events' | 'camera_states' | 'segment_announcements',
    records: readonly Incoming[],
    content: ReturnType<typeof sql>,
  ): Promise<void> => {
    if (records.length === 0) return;
    // By time too, as the keys and partitions go: by number alone it would read all that the unit ever sent.
    // What is not found at its time differs in its time.
    const seqs = records.map(({ record }) => record.seq);
    const times = records.map(({ sentMs }) => new Date(sentMs));
    const { rows } = await sql<{ seq: number; content: unknown[] }>`
      select seq, jsonb_build_array(${content}) as content from ${sql.table(name)}
      where unit_id = ${unitId} and stream_id = ${streamId} and seq = any(${seqs}::bigint[])
        and sent_time = any(${times}::timestamptz[])`.execute(tx);
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
    repeated.segments,
    sql`${ms('sent_time')}, camera_id, ${ms('sent_start')}, ${ms('sent_end')}, video, max_objects_count`,
  );
  const points = await findStoredPoints(
    tx,
    unitId,
    repeated.positions.map(({ sentMs }) => sentMs),
  );
  const differs = (seq: number, content: readonly unknown[]): boolean =>
    stored.get(seq) !== JSON.stringify(content);

  const other = new Set<number>();
  for (const { record, sentMs } of repeated.passengers) {
    const { seq, door, direction, passenger, count } = record;
    if (differs(seq, [sentMs, door, direction, passenger, count])) other.add(seq);
  }
  for (const { record, sentMs } of repeated.cameraStates) {
    const content = [sentMs, cameraIds.get(record.camera), record.status];
    if (differs(record.seq, content)) other.add(record.seq);
  }
  for (const { record, sentMs, startMs, endMs } of repeated.segments) {
    const { seq, camera, video, max_objects_count = null } = record;
    const content = [sentMs, cameraIds.get(camera), startMs, endMs, video, max_objects_count];
    if (differs(seq, content)) other.add(seq);
  }
  for (const incoming of repeated.positions) {
    const { record } = incoming;
    const point = points.get(pointKey(streamId, record.seq));
    const isSame = hasPlace(incoming)
      ? samePoint(point, pointOf(incoming, streamId))
      : includesSequence(unplaced, record.seq);
    if (!isSame) other.add(record.seq);
  }
  return other;
}

// The correction belongs to the sending, not to the record: a repeat may come with another one.
function samePoint(stored: StoredPoint | undefined, sent: StoredPoint): boolean {
  return (
    stored !== undefined &&
    JSON.stringify({ ...stored, offsetMs: 0 }) === JSON.stringify({ ...sent, offsetMs: 0 })
  );
}
