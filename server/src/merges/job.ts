// From a request to a merged video. The row is the truth: after a crash the job starts again under the same storage
// key, which overwrites the rest of the former attempt. Every second the job writes its progress to the row; when the
// row says that the request was cancelled, the work ends at once and leaves nothing.
import { mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod/mini';
import { hasErrorCode } from '../core/errors.ts';
import { EVERY_MINUTE, type JobDefinition } from '../core/jobs/jobs.ts';
import type { Deps } from '../deps.ts';
import { type Ffmpeg, findFfmpeg } from '../media/ffmpeg.ts';
import { workFolderOf } from '../media/work-folder.ts';
import { mergeInThread, type VideoMerger } from './making/merge-thread.ts';
import { nudgeMerge } from './order.ts';
import { MERGED_PREFIX } from './queries.ts';
import { beginMerge, completeMerge, failMerge, noteWork, pauseMerge } from './rows.ts';

/** Interval of the progress, ms: also how soon a cancelled merge ends. */
const NOTE_EVERY_MS = 1000;
/** After this time without progress a request has lost its job, ms. */
const LOST_MS = 60_000;

const Payload = z.object({ requestId: z.int() });

/** The worker's jobs for merges. */
export function mergeJobs(deps: Deps): JobDefinition[] {
  return [mergeJob(deps, findFfmpeg(deps.config)), sweepMergesJob(deps)];
}

/** Makes the merged video of a request. */
export function mergeJob(
  deps: Deps,
  ffmpeg: Ffmpeg,
  makeMergedVideo: VideoMerger = mergeInThread,
): JobDefinition {
  const { clock, log } = deps;
  const { db } = deps.database;
  return {
    name: 'merge',
    run: async (payload, { lastAttempt }) => {
      const { requestId } = Payload.parse(payload);
      const fragments = await beginMerge(db, requestId, clock.nowMs());
      if (fragments === undefined) return;
      if (fragments.length === 0) {
        return failMerge(db, requestId, 'no_video', clock.nowMs());
      }
      const cancelled = new AbortController();
      try {
        const merged = await watched(deps, requestId, cancelled, async (onProgress) => {
          const key = `${MERGED_PREFIX}${requestId}`;
          const watch = { signal: cancelled.signal, onProgress };
          const made = await inFolder(deps, (folder) =>
            makeMergedVideo({ config: deps.config, ffmpeg, key, folder, parts: fragments }, watch),
          );
          return { ...made, key };
        });
        await completeMerge(db, requestId, merged, clock.nowMs());
      } catch (error) {
        if (cancelled.signal.aborted) return;
        const isFull = hasErrorCode(error, 'ENOSPC');
        if (!lastAttempt && !isFull) {
          await pauseMerge(db, requestId);
          throw error;
        }
        log.error({ requestId, err: error }, 'a merge failed');
        await failMerge(db, requestId, isFull ? 'no_space' : 'failed', clock.nowMs());
      }
    },
  };
}

// A folder for this attempt alone.
async function inFolder<T>({ config }: Deps, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(path.join(workFolderOf(config), 'merge-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function watched<T>(
  { database, clock, log }: Deps,
  requestId: number,
  cancelled: AbortController,
  work: (onProgress: (share: number) => void) => Promise<T>,
): Promise<T> {
  let share = 0;
  let noting = Promise.resolve();
  const timer = setInterval(() => {
    noting = noting
      .then(() => noteWork(database.db, requestId, share, clock.nowMs()))
      .then((isWanted) => isWanted || cancelled.abort(new Error('The merge was cancelled.')))
      .then(
        () => undefined,
        (err: unknown) => log.warn({ requestId, err }, 'the progress of a merge was not stored'),
      );
  }, NOTE_EVERY_MS);
  try {
    return await work((done) => {
      share = done;
    });
  } finally {
    clearInterval(timer);
    await noting;
  }
}

/** Restarts requests whose job was lost: a restored backup has none. */
function sweepMergesJob({ database, clock }: Deps): JobDefinition {
  return {
    name: 'sweep_merges',
    schedule: EVERY_MINUTE,
    run: async () => {
      const before = new Date(clock.nowMs() - LOST_MS);
      const lost = await database.db
        .selectFrom('merge_requests')
        .select('id')
        .where('status', '=', 'PROCESS')
        .where('created_at', '<', before)
        .where((eb) => eb.or([eb('worked_at', 'is', null), eb('worked_at', '<', before)]))
        .orderBy('created_at')
        .execute();
      for (const { id } of lost) await nudgeMerge(database.db, id, true);
    },
  };
}
