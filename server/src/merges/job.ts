// From a request to a merged video. After a crash the job starts again under the same storage key, which overwrites the
// rest of the former attempt. A cancelled merge ends at once and leaves nothing.
import { mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod/mini';
import { hasErrorCode } from '../core/errors.ts';
import type { JobDefinition } from '../core/jobs/jobs.ts';
import { sweepWorkJob, workNoted } from '../core/jobs/requested-work.ts';
import type { Deps } from '../deps.ts';
import { type Ffmpeg, findFfmpeg } from '../media/ffmpeg.ts';
import { workFolderOf } from '../media/work-folder.ts';
import { mergeInThread, type VideoMerger } from './making/merge-thread.ts';
import { MERGED_PREFIX } from './merge-list.ts';
import { nudgeMerge } from './order.ts';
import { beginMerge, completeMerge, failMerge, pauseMerge } from './rows.ts';

const Payload = z.object({ requestId: z.int() });

/** The worker's jobs for merges. */
export function mergeJobs(deps: Deps): JobDefinition[] {
  const lost = { name: 'sweep_merges', table: 'merge_requests', jobKey: 'merge:' } as const;
  return [
    // Without video merges wait in the queue.
    ...(deps.videoOff === undefined ? [mergeJob(deps, findFfmpeg(deps.config))] : []),
    sweepWorkJob(deps, { ...lost, nudge: nudgeMerge, fail: failMerge }),
  ];
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
      let share = 0;
      const onProgress = (done: number): void => {
        share = done;
      };
      const watch = { signal: cancelled.signal, onProgress };
      const key = `${MERGED_PREFIX}${requestId}`;
      const row = { table: 'merge_requests', id: requestId } as const;
      const make = () =>
        inFolder(deps, (folder) =>
          makeMergedVideo({ config: deps.config, ffmpeg, key, folder, parts: fragments }, watch),
        );
      try {
        const made = await workNoted(deps, row, cancelled, () => share, make);
        await completeMerge(db, requestId, { ...made, key }, clock.nowMs());
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
