import type { Tx } from '../core/db/db.ts';
import { addJob } from '../core/jobs/jobs.ts';

/** Who was about to open the file, or to write to it, has done so by then, ms. */
const DELETE_AFTER_MS = 60_000;

/**
 * Has files deleted in a while.
 * @param keys of files that no row names once the transaction is through; those that do not exist do no harm
 */
export async function deleteLater(tx: Tx, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return;
  await addJob(tx, 'delete_media', { keys: [...keys] }, { delayMs: DELETE_AFTER_MS });
}
