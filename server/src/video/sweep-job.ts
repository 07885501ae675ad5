import type { DataStore } from '@tus/server';
import type { Deps } from '../app.ts';
import { addJob, type JobDefinition } from '../jobs.ts';
import { abandonUpload } from './abandon-upload.ts';
import { createUploadStore, isMissingUpload } from './upload-store.ts';
import { finishUpload } from './uploads.ts';

/** An upload that is not whole after this long is given up, ms; the unit may be asked again. */
const GIVE_UP_MS = 24 * 3_600_000;
/** Younger ones are left to the request that writes them, ms. */
const SETTLED_MS = 60_000;

/** A job that should have run by now was lost: a restored backup has none, ms. */
const OVERDUE_MS = 10 * 60_000;

/** Every minute: finishes uploads whose last step was lost, gives up those that will not come, renews lost jobs. */
export function sweepUploadsJob(deps: Deps): JobDefinition {
  const { db } = deps.database;
  const store = createUploadStore(deps);
  return {
    name: 'sweep_uploads',
    run: async () => {
      const nowMs = deps.clock.nowMs();
      const open = await db
        .selectFrom('uploads')
        .select(['id', 'length_bytes', 'created_at'])
        .where('finished_at', 'is', null)
        .where('created_at', '<', new Date(nowMs - SETTLED_MS))
        .execute();
      for (const upload of open) {
        if ((await receivedBytes(store, upload.id)) === upload.length_bytes) {
          await finishUpload(deps, upload.id);
        } else if (upload.created_at.getTime() < nowMs - GIVE_UP_MS) {
          await abandonUpload(deps, upload.id, 'The upload did not finish.');
        }
      }
      await renewJobs(deps, new Date(nowMs - OVERDUE_MS));
    },
  };
}

// Should the process have died before the file was made, there is a row alone.
async function receivedBytes(store: DataStore, uploadId: string): Promise<number> {
  try {
    return (await store.getUpload(uploadId)).offset;
  } catch (error) {
    if (isMissingUpload(error)) return 0;
    throw error;
  }
}

// Only jobs that are really gone: one that waits for its next try, runs or has failed for good is left alone.
async function renewJobs(deps: Deps, before: Date): Promise<void> {
  const { db } = deps.database;
  const finished = await db
    .selectFrom('uploads')
    .select('id')
    .where('finished_at', '<', before)
    .execute();
  for (const { id } of finished) {
    await addJob(
      db,
      'verify_upload',
      { uploadId: id },
      { key: `verify:${id}`, maxAttempts: 5, keepExisting: true },
    );
  }
  const loaded = await db
    .selectFrom('segments')
    .innerJoin('cameras', 'cameras.id', 'segments.camera_id')
    .select('segments.id')
    .where('segments.status', '=', 'LOADED')
    .where('cameras.live', '=', false)
    .where('segments.status_at', '<', before)
    .execute();
  for (const { id } of loaded) {
    await addJob(
      db,
      'count_segment',
      { segmentId: id },
      { key: `count:${id}`, keepExisting: true },
    );
  }
}
