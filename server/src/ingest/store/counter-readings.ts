// Counters that never start anew: a record says what the counter showed, and only the difference to the reading before
// it is people.
import { sql } from 'kysely';
import type { Tx } from '../../core/db/db.ts';
import type { CheckedRecord, PassengerRecord } from './records.ts';

/** A counter has one byte. */
const COUNTER = 256;
/** A greater difference is a counter that began anew, not so many people between two readings. */
const MOST_ADDED = COUNTER / 2;
/** Changes of a counter that are remembered; then the older half is forgotten. */
const MOST_CHANGES = 100;

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
  const changed = new Map<string, Changed>();
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
      const change = before === undefined ? 'none' : changeOf(before.value, record.count);
      const { rises = 0, falls = 0 } = changed.get(key) ?? {};
      changed.set(key, {
        record,
        rises: rises + (change === 'rise' ? 1 : 0),
        falls: falls + (change === 'fall' ? 1 : 0),
      });
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

/** The latest reading of a counter, and how often it rose and fell with those before it. */
interface Changed {
  readonly record: PassengerRecord;
  readonly rises: number;
  readonly falls: number;
}

/**
 * Tells what a counter did from one reading to the next. A fall by more than half of its byte is a byte that was full; any other
 * one, and so great a rise, is a counter that began anew.
 */
export function changeOf(before: number, value: number): 'rise' | 'fall' | 'none' {
  if (value === before) return 'none';
  return aheadOf(before, value) < MOST_ADDED ? 'rise' : 'fall';
}

const aheadOf = (before: number, value: number): number => (value - before + COUNTER) % COUNTER;

const addedBy = (value: number, before: number): number =>
  changeOf(before, value) === 'fall' ? value : aheadOf(before, value);

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

// Only the latest changes count: a counter may be exchanged.
async function noteReadings(tx: Tx, unitId: number, changed: readonly Changed[]): Promise<void> {
  if (changed.length === 0) return;
  const column = <T>(pick: (one: PassengerRecord) => T): T[] =>
    changed.map(({ record }) => pick(record));
  const remembered = (name: 'rises' | 'falls') => sql`
    (known.${sql.ref(name)} / case when known.rises + known.falls > ${MOST_CHANGES} then 2 else 1 end
      + excluded.${sql.ref(name)})::smallint`;
  await sql`
    insert into counter_readings as known
      (unit_id, module, door, direction, sent_time, reading, rises, falls)
    select ${unitId}::bigint, * from unnest(
      ${column(({ module = 0 }) => module)}::int[], ${column(({ door }) => door)}::smallint[],
      ${column(({ direction }) => direction)}::text[],
      ${column(({ sentMs }) => new Date(sentMs))}::timestamptz[],
      ${column(({ count }) => count)}::smallint[],
      ${changed.map(({ rises }) => Math.min(rises, MOST_CHANGES))}::smallint[],
      ${changed.map(({ falls }) => Math.min(falls, MOST_CHANGES))}::smallint[])
    on conflict (unit_id, module, door, direction) do update
      set sent_time = excluded.sent_time, reading = excluded.reading,
        rises = ${remembered('rises')}, falls = ${remembered('falls')}`.execute(tx);
}
