// Files go after the rows that named them. The job is added in the transaction that lets go of them, so that a crash
// leaves neither a row without its file nor a file without a row.
import * as z from 'zod/mini';
import type { Deps } from '../app.ts';
import type { Tx } from '../db.ts';
import { addJob, type JobDefinition } from '../jobs.ts';
import { createUploadStore, isMissingUpload } from './upload-store.ts';

/** Who was about to open the file, or to write to it, has done so by then, ms. */
const DELETE_AFTER_MS = 60_000;

const Payload = z.object({ keys: z.array(z.string()) });

/**
 * Has files deleted in a while.
 * @param keys of files that no row names once the transaction is through; those that do not exist do no harm
 */
export async function deleteLater(tx: Tx, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return;
  const runAt = new Date(Date.now() + DELETE_AFTER_MS);
  await addJob(tx, 'delete_media', { keys: [...keys] }, { runAt });
}

/** Deletes files, and what an upload left beside them. */
export function deleteMediaJob(deps: Deps): JobDefinition {
  const uploads = createUploadStore(deps);
  return {
    name: 'delete_media',
    run: async (payload) => {
      for (const key of Payload.parse(payload).keys) {
        // In S3 an upload that did not finish lies in parts that only its own store finds.
        await uploads.remove(key).catch((error: unknown) => {
          if (!isMissingUpload(error)) throw error;
        });
        await deps.storage.delete(key);
        await deps.storage.delete(`${key}.info`);
      }
    },
  };
}
