// Monthly partitions, created with the first record of a month. `create table … partition of` would lock the whole
// table exclusively: behind one long reader it waits, and everybody else behind it. So the table is created by itself
// and attached, which lets readers and writers go on (PostgreSQL, ALTER TABLE, ATTACH PARTITION: SHARE UPDATE
// EXCLUSIVE).
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { Cache, cached } from '../../core/cache.ts';
import type { Database, Db } from '../../core/db/db.ts';
import { hasErrorCode } from '../../core/errors.ts';
import { blockStartOf } from '../../positions/append.ts';
import { type CheckedRecord, sortRecords } from './records.ts';

/** Tables partitioned by the month of the corrected time. */
export type PartitionedTable = 'position_blocks' | 'passenger_events' | 'camera_states';

/** Longest wait for the lock in one attempt, ms. Its holder is creating another partition, or a clean-up. */
const LOCK_LIMIT_MS = 500;
/** With the waits between them the attempts fit into the limit of a call; then the unit is told to retry. */
const TRIES = 5;
/** Wait between attempts, ms; random, so that two processes do not collide again and again. */
const WAIT_MS = 200;

// Months whose partitions exist or are being created; no partition is dropped while servers run.
const known = new WeakMap<object, Cache<string, Promise<void>>>();
const MOST_MONTHS = 5000;
const DAY_MS = 86_400_000;

/**
 * Creates the missing monthly partitions of moments. Runs outside the batch's transaction, in a short one each;
 * concurrent batches of a process share one creation.
 * @param pool identifies the database, so that the cache of one is not used for another
 * @param moments ms since 1970 UTC
 * @throws the database's 55P03 when five attempts get no lock
 */
export async function ensurePartitions(
  db: Db,
  pool: object,
  table: PartitionedTable,
  moments: Iterable<number>,
): Promise<void> {
  const seen = known.get(pool) ?? new Cache<string, Promise<void>>({ most: MOST_MONTHS });
  known.set(pool, seen);
  const due = new Set<string>();
  let day = Number.NaN;
  for (const momentMs of moments) {
    // Records come in runs of one day.
    if (Math.floor(momentMs / DAY_MS) === day) continue;
    day = Math.floor(momentMs / DAY_MS);
    due.add(new Date(momentMs).toISOString().slice(0, 7));
  }
  for (const month of [...due].sort()) {
    await cached(seen, `${table} ${month}`, () => makePartition(db, table, month));
  }
}

/** Creates the missing partitions of a batch. @throws as `ensurePartitions` */
export async function makePartitions(
  { db, pool }: Pick<Database, 'db' | 'pool'>,
  records: readonly CheckedRecord[],
): Promise<void> {
  const { positions, passengers, cameraStates } = sortRecords(records);
  const blocks = positions.map(({ timeMs }) => blockStartOf(timeMs));
  await ensurePartitions(db, pool, 'position_blocks', blocks);
  const times = (of: readonly CheckedRecord[]): number[] => of.map(({ timeMs }) => timeMs);
  await ensurePartitions(db, pool, 'passenger_events', times(passengers));
  await ensurePartitions(db, pool, 'camera_states', times(cameraStates));
}

async function makePartition(db: Db, table: PartitionedTable, month: string): Promise<void> {
  const name = `${table}_${month.replace('-', '_')}`;
  for (let tries = 1; !(await isPartition(db, name)); tries += 1) {
    try {
      await attachPartition(db, table, name, month);
    } catch (error) {
      // When two servers create it at once, the catalogue's unique keys let one through.
      if (['42P07', '42710', '23505', '42P17'].some((code) => hasErrorCode(error, code))) {
        if (await isPartition(db, name)) return;
        throw error;
      }
      if (!hasErrorCode(error, '55P03') || tries === TRIES) throw error;
      await sleep(WAIT_MS * (0.5 + Math.random()));
    }
  }
}

async function isPartition(db: Db, name: string): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select relispartition as found from pg_class where oid = to_regclass(${name})`.execute(db);
  return rows[0]?.found ?? false;
}

async function attachPartition(
  db: Db,
  table: PartitionedTable,
  name: string,
  month: string,
): Promise<void> {
  const [year = 0, number = 1] = month.split('-').map(Number);
  const first = new Date(Date.UTC(year, number - 1, 1)).toISOString();
  const next = new Date(Date.UTC(year, number, 1)).toISOString();
  await db.transaction().execute(async (tx) => {
    await sql`set local lock_timeout = ${sql.lit(LOCK_LIMIT_MS)}`.execute(tx);
    // Attaching creates the indexes; the table is empty and still unknown to others.
    await sql`create table ${sql.table(name)} (like ${sql.table(table)} including all excluding indexes)`.execute(
      tx,
    );
    await sql`alter table ${sql.table(table)} attach partition ${sql.table(name)}
      for values from (${sql.lit(first)}) to (${sql.lit(next)})`.execute(tx);
  });
}
