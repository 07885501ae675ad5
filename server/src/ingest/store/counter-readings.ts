// Counters that never start anew: a record says what the counter showed, and only the difference to the reading before
// it is people.
import { sql } from 'kysely';
import type { Tx } from '../../core/db/db.ts';
import type { CheckedRecord, PassengerRecord } from './records.ts';

/** A counter has one byte. */
const COUNTER = 256;
/** A greater difference is a counter that began anew, not so many people between two readings. */
const MOST_ADDED = COUNTER / 2;

interface Reading {
  readonly sentMs: number;
  readonly value: number;
}

/**
 * Replaces readings of counters by the people that they add, and notes the latest reading of each. The first one of a
 * counter adds nobody, and neither does one that is not later than the latest. The caller holds the unit's lock.
 * @returns the records with counts of people, and the readings that add nobody
 */
export async function countReadings(
  tx: Tx,
  unitId: number,
  records: readonly CheckedRecord[],
): Promise<{
  readonly counted: readonly CheckedRecord[];
  readonly empty: readonly CheckedRecord[];
}> {
  if (!records.some(isReading)) return { counted: records, empty: [] };
  const latest = await readLatest(tx, unitId);
  const changed = new Map<string, PassengerRecord>();
  const counted: CheckedRecord[] = [];
  const empty: CheckedRecord[] = [];
  for (const record of [...records].sort((a, b) => a.sentMs - b.sentMs)) {
    if (!isReading(record)) {
      counted.push(record);
      continue;
    }
    const key = keyOf(record);
    const before = latest.get(key);
    const isLater = before === undefined || record.sentMs > before.sentMs;
    const count = isLater && before !== undefined ? addedBy(record.count, before.value) : 0;
    if (isLater) {
      latest.set(key, { sentMs: record.sentMs, value: record.count });
      changed.set(key, record);
    }
    if (count === 0) empty.push(record);
    else counted.push({ ...record, count });
  }
  await noteReadings(tx, unitId, [...changed.values()]);
  return { counted, empty };
}

/** Whether a record says what a counter showed, not how many passed. */
export function isReading(
  record: Pick<CheckedRecord, 'type'>,
): record is PassengerRecord & { readonly module: number } {
  return record.type === 'passenger' && 'module' in record;
}

function addedBy(value: number, before: number): number {
  const added = (value - before + COUNTER) % COUNTER;
  return added < MOST_ADDED ? added : value;
}

const keyOf = (counter: { module?: number; door: number; direction: string }): string =>
  `${counter.module} ${counter.door} ${counter.direction}`;

async function readLatest(tx: Tx, unitId: number): Promise<Map<string, Reading>> {
  const rows = await tx
    .selectFrom('counter_readings')
    .select(['module', 'door', 'direction', 'sent_time', 'reading'])
    .where('unit_id', '=', unitId)
    .execute();
  return new Map(
    rows.map((row) => [keyOf(row), { sentMs: row.sent_time.getTime(), value: row.reading }]),
  );
}

async function noteReadings(
  tx: Tx,
  unitId: number,
  readings: readonly PassengerRecord[],
): Promise<void> {
  if (readings.length === 0) return;
  await sql`
    insert into counter_readings (unit_id, module, door, direction, sent_time, reading)
    select ${unitId}::bigint, * from unnest(
      ${readings.map(({ module = 0 }) => module)}::int[],
      ${readings.map(({ door }) => door)}::smallint[],
      ${readings.map(({ direction }) => direction)}::text[],
      ${readings.map(({ sentMs }) => new Date(sentMs))}::timestamptz[],
      ${readings.map(({ count }) => count)}::smallint[])
    on conflict (unit_id, module, door, direction) do update
      set sent_time = excluded.sent_time, reading = excluded.reading`.execute(tx);
}
