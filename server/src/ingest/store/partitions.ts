// Monthly partitions, made when the first record of a month comes. `create table … partition of` would lock the whole
// table against everybody: behind one long reader it waits, and behind it all others. So the table is made beside it
// and attached, which lets readers and writers go on (PostgreSQL, ALTER TABLE, ATTACH PARTITION: SHARE UPDATE EXCLUSIVE).
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { Cache, cached } from '../../core/cache.ts';
import type { Db } from '../../core/db/db.ts';
import { hasErrorCode } from '../../core/errors.ts';

/** Tables that are partitioned by the month of the time as sent. */
export type PartitionedTable = 'position_blocks' | 'passenger_events' | 'camera_states';

/** Longest wait for the lock at one try, ms: whoever holds it is another partition in the making, or a clean-up. */
const LOCK_LIMIT_MS = 500;
/** With the waits between them they stay within what a call has; then the unit is told to come again. */
const TRIES = 5;
/** Wait between tries, ms; at random, so that two processes do not meet again and again. */
const WAIT_MS = 200;

// Months that this process has seen or is making; a partition, once made, is never dropped while servers run.
const known = new WeakMap<object, Cache<string, Promise<void>>>();
const MOST_MONTHS = 5000;

/**
 * Makes the monthly partitions that moments need, if they are missing. Runs outside the batch's transaction, each in a
 * short one of its own; however many batches need one at once, a process makes it once.
 * @param pool stands for the database, so that what was seen in one is not believed of another
 * @param moments ms since 1970 UTC
 * @throws the database's 55P03 when the lock is not had in five tries
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
  for (const momentMs of moments) due.add(new Date(momentMs).toISOString().slice(0, 7));
  for (const month of [...due].sort()) {
    await cached(seen, `${table} ${month}`, () => makePartition(db, table, month));
  }
}

async function makePartition(db: Db, table: PartitionedTable, month: string): Promise<void> {
  const name = `${table}_${month.replace('-', '_')}`;
  for (let tries = 1; !(await isPartition(db, name)); tries += 1) {
    try {
      await attachPartition(db, table, name, month);
    } catch (error) {
      // Two servers that make it at once: the catalogue's own keys let one of them through.
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
    // Attaching makes the indexes, as on every partition; the table is empty, and nobody sees it before.
    await sql`create table ${sql.table(name)} (like ${sql.table(table)} including all excluding indexes)`.execute(
      tx,
    );
    await sql`alter table ${sql.table(table)} attach partition ${sql.table(name)}
      for values from (${sql.lit(first)}) to (${sql.lit(next)})`.execute(tx);
  });
}
