import { sql } from 'kysely';
import type { Db } from '../core/db/db.ts';

/** The process ids of the connections to this database that wait for a lock. */
export async function listBlocked(db: Db): Promise<number[]> {
  const { rows } = await sql<{ pid: number }>`select pid from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
  return rows.map(({ pid }) => pid);
}
