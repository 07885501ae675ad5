import { sql } from 'kysely';
import type { Db } from '../db.ts';
import { hasErrorCode } from '../errors.ts';

/** Tables that are partitioned by the month of the time as sent. */
export type PartitionedTable = 'position_blocks' | 'passenger_events' | 'camera_states';

// Which months this process has seen; a partition, once made, is never dropped while servers run.
const known = new WeakMap<object, Set<string>>();

/**
 * Makes the monthly partitions that moments need, if they are missing. Runs outside the batch's transaction:
 * making one locks the whole table, and must not hold that lock while a batch is stored.
 * @param pool stands for the database, so that what was seen in one is not believed of another
 * @param moments ms since 1970 UTC
 */
export async function ensurePartitions(
  db: Db,
  pool: object,
  table: PartitionedTable,
  moments: Iterable<number>,
): Promise<void> {
  let seen = known.get(pool);
  if (seen === undefined) {
    seen = new Set();
    known.set(pool, seen);
  }
  const due = new Set<string>();
  for (const momentMs of moments) {
    const month = new Date(momentMs).toISOString().slice(0, 7);
    if (!seen.has(`${table} ${month}`)) due.add(month);
  }
  for (const month of [...due].sort()) {
    await makePartition(db, table, month);
    seen.add(`${table} ${month}`);
  }
}

async function makePartition(db: Db, table: PartitionedTable, month: string): Promise<void> {
  const name = `${table}_${month.replace('-', '_')}`;
  const { rows } = await sql<{ found: boolean }>`
    select to_regclass(${name}) is not null as found`.execute(db);
  if (rows[0]?.found) return;
  const [year, number] = month.split('-').map(Number);
  const first = new Date(Date.UTC(year ?? 0, (number ?? 1) - 1, 1)).toISOString();
  const next = new Date(Date.UTC(year ?? 0, number ?? 1, 1)).toISOString();
  try {
    await sql`create table if not exists ${sql.table(name)} partition of ${sql.table(table)}
      for values from (${sql.lit(first)}) to (${sql.lit(next)})`.execute(db);
  } catch (error) {
    // Two servers that make it at once: the catalogue's own keys let one of them through.
    if (!['42P07', '23505', '42P17'].some((code) => hasErrorCode(error, code))) throw error;
    const { rows: again } = await sql<{ found: boolean }>`
      select to_regclass(${name}) is not null as found`.execute(db);
    if (!again[0]?.found) throw error;
  }
}
