// Takes the fragments of a period one after the other, each in a transaction that also records the progress: after a
// crash the job continues there, and no fragment is requested twice.
import { canFetch, type FragmentStatus } from '@ridewatch/contract/fragment-states';
import { sql } from 'kysely';
import * as z from 'zod/mini';
import type { Tx } from '../core/db/db.ts';
import { addJob, type JobDefinition } from '../core/jobs/jobs.ts';
import type { Deps } from '../deps.ts';
import { keepWanted } from '../fetching/preloads.ts';
import { askAgain } from '../fetching/tries.ts';
import { markFragmentChanged, moveFragment } from '../fragments/state.ts';
import { nudgeRecalculation, startRecounts } from './order.ts';

const Payload = z.object({ id: z.int() });
/** How long to wait for a fragment that is being merged, ms. */
const MERGED_SOON_MS = 5000;
const AT_ONCE = 200;
/** After this time a recalculation yields to waiting ones, ms. */
const TURN_MS = 10_000;

interface Recalculation {
  readonly id: number;
  readonly reload: boolean;
  /** Of the next recount. */
  readonly nextPriority: () => number;
}

/** Counts the fragments of a recalculation again. */
export function recalculateFragmentsJob({
  database,
  clock,
}: Pick<Deps, 'database' | 'clock'>): JobDefinition {
  const { db } = database;
  return {
    name: 'recalculate_segments',
    run: async (payload) => {
      const { id } = Payload.parse(payload);
      const untilMs = clock.nowMs() + TURN_MS;
      let nextPriority: (() => number) | undefined;
      for (;;) {
        const row = await db
          .selectFrom('recalculations')
          .selectAll()
          .where('id', '=', id)
          .executeTakeFirst();
        if (row === undefined || row.listed_at !== null) return;
        nextPriority ??= await startRecounts(db, row.workplace_id);
        const work = { ...row, nextPriority };
        const batch = await db
          .selectFrom('segments')
          .select('id')
          .where(sql<boolean>`camera_id = any(${row.camera_ids}::bigint[])`)
          .where('start_time', '>=', row.from_time)
          .where('start_time', '<', row.to_time)
          .where('id', '>', row.after_id)
          .orderBy('id')
          .limit(AT_ONCE)
          .execute();
        for (const fragment of batch) {
          if (clock.nowMs() >= untilMs) {
            await nudgeRecalculation(db, id);
            return;
          }
          const isTaken = await db
            .transaction()
            .execute((tx) => takeIn(tx, work, fragment.id, clock.nowMs()));
          if (isTaken) continue;
          await nudgeRecalculation(db, id, MERGED_SOON_MS);
          return;
        }
        if (batch.length === AT_ONCE) continue;
        await db
          .updateTable('recalculations')
          .set({ listed_at: new Date(clock.nowMs()) })
          .where('id', '=', id)
          .execute();
        return;
      }
    },
  };
}

/** @returns false when the job has to wait for the fragment */
async function takeIn(
  tx: Tx,
  { id, reload, nextPriority }: Recalculation,
  fragmentId: number,
  atMs: number,
): Promise<boolean> {
  const fragment = await tx
    .selectFrom('segments')
    .innerJoin('cameras', 'cameras.id', 'segments.camera_id')
    .select(['segments.status', 'cameras.live'])
    .where('segments.id', '=', fragmentId)
    .forUpdate('segments')
    .executeTakeFirstOrThrow();
  if (fragment.status === 'MERGING') return false;
  await tx
    .updateTable('recalculations')
    .set({ after_id: fragmentId })
    .where('id', '=', id)
    .execute();
  const isTaken = reload
    ? await fetchAgain(tx, fragmentId, fragment.status, atMs)
    : await countAgain(tx, fragmentId, fragment, { atMs, nextPriority });
  if (!isTaken) return true;
  await tx
    .updateTable('segments')
    .set({ recalculation_id: id })
    .where('id', '=', fragmentId)
    .execute();
  await markFragmentChanged(tx, fragmentId);
  return true;
}

// Only fragments fetched before, or whose fetching failed, are fetched again; nobody requested the others.
async function fetchAgain(
  tx: Tx,
  fragmentId: number,
  status: FragmentStatus,
  atMs: number,
): Promise<boolean> {
  const file = await tx
    .selectFrom('segment_files')
    .select('segment_id')
    .where('segment_id', '=', fragmentId)
    .executeTakeFirst();
  if (file === undefined && status !== 'DOWNLOAD_FAIL') return false;
  await keepWanted(tx, fragmentId);
  // A fragment on its way is counted when it arrives.
  if (!canFetch(status)) return true;
  await moveFragment(tx, fragmentId, 'DOWNLOADING_FROM_TASK', { atMs });
  await askAgain(tx, fragmentId, atMs);
  return true;
}

async function countAgain(
  tx: Tx,
  fragmentId: number,
  { status, live }: { status: FragmentStatus; live: boolean },
  { atMs, nextPriority }: { atMs: number; nextPriority: () => number },
): Promise<boolean> {
  if (live) return false;
  const counted: readonly FragmentStatus[] = ['PROCESSED', 'WAS_MERGED'];
  if (counted.includes(status)) await moveFragment(tx, fragmentId, 'PROCESSING', { atMs });
  else if (status !== 'LOADED' && status !== 'PROCESSING') return false;
  const options = { key: `count:${fragmentId}`, priority: nextPriority() };
  await addJob(tx, 'count_segment', { segmentId: fragmentId }, options);
  return true;
}
