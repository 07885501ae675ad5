// A new file may tell whether the clocks of its camera run fast. The unclear files around it are then judged again, so
// that the result does not depend on the order in which files arrive.
import { sql } from 'kysely';
import * as z from 'zod/mini';
import type { Tx } from '../core/db/db.ts';
import { videoPriorities } from '../core/jobs/job-classes.ts';
import { addJob, type JobDefinition } from '../core/jobs/jobs.ts';
import type { Deps } from '../deps.ts';
import { markFragmentChanged } from '../fragments/state.ts';
import { listFilesAround, type Period, readPeriod, runsFast } from './camera-clock.ts';

const Payload = z.object({ segmentId: z.int() });

/** Adds the job that judges the unclear files around a fragment, whose file is new, if there are any. */
export async function judgeClockLater(tx: Tx, period: Period, isUnclear: boolean): Promise<void> {
  const isNeeded = isUnclear || (await listFilesAround(tx, period)).some((one) => one.isUnclear);
  if (!isNeeded) return;
  const { fragmentId } = period;
  const options = { key: `clock:${fragmentId}`, priority: videoPriorities.count };
  await addJob(tx, 'judge_clock', { segmentId: fragmentId }, options);
}

/** Judges the unclear files of a fragment and of those around it again. */
export function judgeClockJob({ database }: Pick<Deps, 'database'>): JobDefinition {
  return {
    name: 'judge_clock',
    run: async (payload) => {
      const period = await readPeriod(database.db, Payload.parse(payload).segmentId);
      const around = await listFilesAround(database.db, period);
      for (const { fragmentId } of [period, ...around.filter(({ isUnclear }) => isUnclear)]) {
        await database.db.transaction().execute((tx) => judge(tx, fragmentId));
      }
    },
  };
}

// Under the lock of the fragment: of two jobs, the later one decides, and sees the files that the other has seen.
async function judge(tx: Tx, fragmentId: number): Promise<void> {
  const period = await readPeriod(tx, fragmentId, true);
  const { rows } = await sql<{ lengthMs: number }>`
    select coalesce(source.duration_ms, playable.duration_ms) as "lengthMs"
    from segment_files as playable
    left join segment_files as source on source.segment_id = playable.segment_id and source.variant = 'source'
    where playable.segment_id = ${fragmentId} and playable.variant = 'playable'
      and playable.time_maps is not null`.execute(tx);
  const [file] = rows;
  if (file === undefined) return;
  const isFast = runsFast({ ...period, ...file }, await listFilesAround(tx, period));
  const { numAffectedRows } = await sql`
    update segment_files set time_map = nullif(time_maps -> ${isFast ? 'fast' : 'truncated'}::text, 'null')
    where segment_id = ${fragmentId} and variant = 'playable'
      and time_map is distinct from nullif(time_maps -> ${isFast ? 'fast' : 'truncated'}::text, 'null')`.execute(
    tx,
  );
  if (numAffectedRows) await markFragmentChanged(tx, fragmentId);
}
