import type { Tx } from '../core/db/db.ts';
import { addJob } from '../core/jobs/jobs.ts';

/** By then, all that were opening or writing the file have finished, ms. */
const DELETE_AFTER_MS = 60_000;

/**
 * Deletes files after a delay.
 * @param keys of files that no row names after the transaction; missing ones do no harm
 */
export async function deleteLater(tx: Tx, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return;
  await addJob(tx, 'delete_media', { keys: [...keys] }, { delayMs: DELETE_AFTER_MS });
}
