// Files are deleted after their rows. The job is added in the transaction that deletes the rows, so that a crash leaves
// neither a row without its file nor a file without a row.
import * as z from 'zod/mini';
import type { JobDefinition } from '../core/jobs/jobs.ts';
import type { Deps } from '../deps.ts';
import { createUploadStore, isMissingUpload } from './uploads/upload-store.ts';

const Payload = z.object({ keys: z.array(z.string()) });

/** Deletes files, and the rest of uploads. */
export function deleteMediaJob(deps: Deps): JobDefinition {
  const uploads = createUploadStore(deps);
  return {
    name: 'delete_media',
    run: async (payload) => {
      for (const key of Payload.parse(payload).keys) {
        // An unfinished S3 upload consists of parts that only its own store finds.
        await uploads.remove(key).catch((error: unknown) => {
          if (!isMissingUpload(error)) throw error;
        });
        await deps.storage.delete(key);
        await deps.storage.delete(`${key}.info`);
      }
    },
  };
}
