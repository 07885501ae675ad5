import type { Db, Tx } from './db.ts';

/**
 * Does work in a transaction. A preview does the same and takes it back, so it also meets what would be refused.
 * @param work changes nothing outside of the transaction
 */
export async function inTransaction<T>(
  db: Db,
  { isPreview }: { readonly isPreview: boolean },
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  if (!isPreview) return db.transaction().execute(work);
  const tx = await db.startTransaction().execute();
  try {
    return await work(tx);
  } finally {
    await tx.rollback().execute();
  }
}
