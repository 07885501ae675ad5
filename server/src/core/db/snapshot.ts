import type { Db, Tx } from './db.ts';

/**
 * Reads by several statements what the database had at one moment. The transaction ends with the read.
 * @param work reads, and waits for nothing else
 * @throws whatever `work` throws; the database's error for a statement that writes
 */
export function inSnapshot<T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(work);
}
