// Counters that never start anew: a record says what the counter showed, and only the difference to the reading before
// it is people. Readings before and after a move are not compared: the terminal moves, and the counters at the doors may
// stay.
import { type RawBuilder, sql } from 'kysely';
import { stayAt } from '../../access/unit-assignments.ts';
import type { Tx } from '../../core/db/db.ts';
import type { KnownUnit } from '../../core/viewer.ts';
import { MAX_COUNTERS } from './bounds.ts';
import type { CheckedRecord, PassengerRecord, StoreRefusal } from './records.ts';

/** A counter has one byte. */
const COUNTER = 256;
/** A greater difference is a counter that began anew, not so many people between two readings. */
const MOST_ADDED = COUNTER / 2;
/** Changes of a counter that are remembered; then the older half is forgotten. */
const MOST_CHANGES = 100;
/** Nobody knows how often the byte was full in a longer time, ms. */
const LONGEST_MS = 86_400_000;

type ReadingRecord = PassengerRecord & { readonly module: number };

interface Reading {
  readonly sentMs: number;
  readonly value: number;
}

/** The records of a batch, with people in place of readings. */
export interface CountedReadings {
  /** Those that are to be stored. */
  readonly counted: readonly CheckedRecord[];
  /** Readings that add nobody. */
  readonly empty: readonly CheckedRecord[];
  /** Readings of counters beyond the limit of a unit. */
  readonly beyond: readonly CheckedRecord[];
}

/**
 * Replaces readings of counters by the people that they add, and notes the latest reading of each. A reading adds nobody
 * when it is the first one of its counter, when it is not later than the latest, and when the latest is of another stay of
 * the unit in a bus or more than a day older. The caller holds the unit's lock.
 */
export async function countReadings(
  tx: Tx,
  unit: KnownUnit,
  records: readonly CheckedRecord[],
): Promise<CountedReadings> {
  if (!records.some(isReading)) return { counted: records, empty: [], beyond: [] };
  const ordered = [...records].sort((a, b) => a.sentMs - b.sentMs);
  const counters = countersOf(ordered.filter(isReading));
  const latest = await readLatest(tx, unit.unitId, counters);
  const full = await findFull(tx, unit.unitId, counters, latest);
  const changed = new Map<string, Changed>();
  const counted: CheckedRecord[] = [];
  const empty: CheckedRecord[] = [];
  const beyond: CheckedRecord[] = [];
  for (const record of ordered) {
    if (!isReading(record)) {
      counted.push(record);
      continue;
    }
    const key = keyOf(record);
    if (full.has(key)) {
      beyond.push(record);
      continue;
    }
    const before = latest.get(key);
    if (before !== undefined && record.sentMs <= before.sentMs) {
      empty.push(record);
      continue;
    }
    latest.set(key, { sentMs: record.sentMs, value: record.count });
    const measure = before && isMeasure(unit, before, record) ? before.value : record.count;
    const change = changeOf(measure, record.count);
    const { rises = 0, falls = 0 } = changed.get(key) ?? {};
    changed.set(key, {
      record,
      rises: rises + (change === 'rise' ? 1 : 0),
      falls: falls + (change === 'fall' ? 1 : 0),
    });
    const count = change === 'fall' ? record.count : aheadOf(measure, record.count);
    if (count === 0) empty.push(record);
    else counted.push({ ...record, count });
  }
  await noteReadings(tx, unit.unitId, [...changed.values()]);
  return { counted, empty, beyond };
}

/** Whether a record says what a counter showed, not how many passed. */
export function isReading(record: Pick<CheckedRecord, 'type'>): record is ReadingRecord {
  return record.type === 'passenger' && 'module' in record;
}

/** The refusal of a reading of a counter beyond the limit. */
export function counterRefusal(record: CheckedRecord): StoreRefusal {
  const message = `is of a counter beyond the ${MAX_COUNTERS} that a unit may have`;
  return { record, reason: 'too_dense', field: 'module', message };
}

/** The latest reading of a counter, and how often it rose and fell with those before it. */
interface Changed {
  readonly record: ReadingRecord;
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

// Whether the people between two readings are those who came in the bus of the later one.
const isMeasure = (unit: KnownUnit, before: Reading, { sentMs }: ReadingRecord): boolean =>
  sentMs - before.sentMs <= LONGEST_MS &&
  stayAt(unit, before.sentMs).fromMs === stayAt(unit, sentMs).fromMs;

/** The first reading of each counter by the counter's key, in the order of the readings. */
type Counters = ReadonlyMap<string, ReadingRecord>;

const keyOf = (counter: Pick<ReadingRecord, 'module' | 'door' | 'direction'>): string =>
  `${counter.module} ${counter.door} ${counter.direction}`;

function countersOf(readings: readonly ReadingRecord[]): Counters {
  const counters = new Map<string, ReadingRecord>();
  for (const reading of readings) {
    const key = keyOf(reading);
    if (!counters.has(key)) counters.set(key, reading);
  }
  return counters;
}

// Counters as arrays of their columns, in the order of the table's key.
const columnsOf = (some: readonly ReadingRecord[]): RawBuilder<unknown> => sql`
  ${some.map(({ module }) => module)}::int[], ${some.map(({ door }) => door)}::smallint[],
  ${some.map(({ direction }) => direction)}::text[]`;

const namedIn = (counters: Counters): RawBuilder<unknown> =>
  sql`unnest(${columnsOf([...counters.values()])}) as named (module, door, direction)`;

async function readLatest(
  tx: Tx,
  unitId: number,
  counters: Counters,
): Promise<Map<string, Reading>> {
  const { rows } = await sql<
    Pick<ReadingRecord, 'module' | 'door' | 'direction'> & { sent_time: Date; reading: number }
  >`
    select module, door, direction, sent_time, reading
    from counter_readings join ${namedIn(counters)} using (module, door, direction)
    where unit_id = ${unitId}`.execute(tx);
  return new Map(
    rows.map((row) => [keyOf(row), { sentMs: row.sent_time.getTime(), value: row.reading }]),
  );
}

/**
 * Finds the counters for which the unit has no room. Those whose latest readings are no measure any more make room first.
 * @returns their keys
 */
async function findFull(
  tx: Tx,
  unitId: number,
  counters: Counters,
  latest: ReadonlyMap<string, Reading>,
): Promise<ReadonlySet<string>> {
  const unknown = [...counters].filter(([key]) => !latest.has(key));
  const [first] = unknown;
  if (first === undefined) return new Set();
  let known = await countCounters(tx, unitId);
  if (known + unknown.length > MAX_COUNTERS) {
    const [, { sentMs }] = first;
    await sql`
      delete from counter_readings as known
      where unit_id = ${unitId} and sent_time < ${new Date(sentMs - LONGEST_MS)}
        and not exists (select from ${namedIn(counters)} where named.module = known.module
          and named.door = known.door and named.direction = known.direction)`.execute(tx);
    known = await countCounters(tx, unitId);
  }
  return new Set(unknown.slice(Math.max(0, MAX_COUNTERS - known)).map(([key]) => key));
}

/** Counts the counters of a unit up to the limit. */
async function countCounters(tx: Tx, unitId: number): Promise<number> {
  const { rows } = await sql<{ known: number }>`
    select count(*)::int as known
    from (select from counter_readings where unit_id = ${unitId} limit ${MAX_COUNTERS}) as counted`.execute(
    tx,
  );
  return rows[0]?.known ?? 0;
}

// Only the latest changes count: a counter may be exchanged.
async function noteReadings(tx: Tx, unitId: number, changed: readonly Changed[]): Promise<void> {
  if (changed.length === 0) return;
  const readings = changed.map(({ record }) => record);
  const remembered = (name: 'rises' | 'falls') => sql`
    (known.${sql.ref(name)} / case when known.rises + known.falls > ${MOST_CHANGES} then 2 else 1 end
      + excluded.${sql.ref(name)})::smallint`;
  await sql`
    insert into counter_readings as known
      (unit_id, module, door, direction, sent_time, reading, rises, falls)
    select ${unitId}::bigint, * from unnest(${columnsOf(readings)},
      ${readings.map(({ sentMs }) => new Date(sentMs))}::timestamptz[],
      ${readings.map(({ count }) => count)}::smallint[],
      ${changed.map(({ rises }) => Math.min(rises, MOST_CHANGES))}::smallint[],
      ${changed.map(({ falls }) => Math.min(falls, MOST_CHANGES))}::smallint[])
    on conflict (unit_id, module, door, direction) do update
      set sent_time = excluded.sent_time, reading = excluded.reading,
        rises = ${remembered('rises')}, falls = ${remembered('falls')}`.execute(tx);
}
