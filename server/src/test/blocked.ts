import { sql } from 'kysely';
import { expect, vi } from 'vitest';
import type { Db, Tx } from '../core/db/db.ts';

/** The process ids of the connections to this database that wait for a lock. */
export async function listBlocked(db: Db): Promise<number[]> {
  const { rows } = await sql<{ pid: number }>`select pid from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
  return rows.map(({ pid }) => pid);
}

/** Waits until so many connections to this database wait for a lock. */
export const waitForBlocked = (db: Db, count: number): Promise<void> =>
  vi.waitFor(async () => expect(await listBlocked(db)).toHaveLength(count), { timeout: 20_000 });

/** Waits until a connection waits for a lock of another one. @param pid process id of the other one */
export async function waitForBlockedBy(db: Db, pid: number): Promise<void> {
  await vi.waitFor(async () => {
    const { rows } = await sql`
      select from pg_locks where not granted and ${pid} = any(pg_blocking_pids(pid))`.execute(db);
    expect(rows).toHaveLength(1);
  });
}

/**
 * Starts work while a transaction holds a lock, each part when the one before waits for a lock.
 * @param lock takes the lock
 * @param then ends the transaction
 * @returns the results of the parts, once the transaction has ended
 */
export async function whileLocked<Result>(
  db: Db,
  lock: (tx: Tx) => Promise<unknown>,
  starts: readonly (() => Promise<Result>)[],
  then?: (tx: Tx) => Promise<unknown>,
): Promise<Result[]> {
  const begun: Promise<Result>[] = [];
  await db.transaction().execute(async (tx) => {
    await lock(tx);
    for (const start of starts) {
      begun.push(start());
      await waitForBlocked(db, begun.length);
    }
    await then?.(tx);
  });
  return Promise.all(begun);
}

/** Lets nothing of a unit be stored. */
export const lockUnit =
  (unitId: number) =>
  (tx: Tx): Promise<unknown> =>
    tx.selectFrom('units').select('id').where('id', '=', unitId).forUpdate().execute();

/** Lets every command go as far as its audit row, and no further. */
export const lockAudit = (tx: Tx): Promise<unknown> =>
  sql`lock table audit_log in share mode`.execute(tx);
