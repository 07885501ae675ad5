// LOADED → PROCESSING → PROCESSED. After a crash the job runs again and finds the fragment in PROCESSING; counting is
// idempotent. A fragment that cannot be counted returns to its former state, with the reason.
import { sql } from 'kysely';
import * as z from 'zod/mini';
import type { Db, Tx } from '../core/db/db.ts';
import type { JobDefinition } from '../core/jobs/jobs.ts';
import { lockBatches } from '../days/bus-days.ts';
import { requestLaps } from '../days/due-laps.ts';
import type { Deps } from '../deps.ts';
import { markFragmentChanged, moveFragment, returnFragment } from '../fragments/state.ts';
import { countByUnit } from './count-by-unit.ts';
import type { CountFragment, CountTask, FragmentCount } from './counter.ts';
import { storeVideoEvents } from './video-events.ts';

/** Delay of the laps after the last of several fragments, ms. */
const LAPS_WAIT_MS = 1000;

/** Shortest time between two writes of the progress, ms. */
const PROGRESS_MS = 2000;

const Payload = z.object({ segmentId: z.int() });

/**
 * Counts a fragment. Its people are read from the events whenever the day is read, so they are not copied here. Only
 * what the counter alone knows is stored with the fragment.
 */
export function countFragmentJob(deps: Deps, count: CountFragment = countByUnit): JobDefinition {
  const { db } = deps.database;
  return {
    name: 'count_segment',
    run: async (payload, { lastAttempt, signal }) => {
      const { segmentId: fragmentId } = Payload.parse(payload);
      if (!(await startProcessing(deps, fragmentId))) return;
      const unwanted = new AbortController();
      const task = {
        ...(await readTask(db, fragmentId)),
        onProgress: createProgress(deps, fragmentId, () => unwanted.abort()),
        signal: AbortSignal.any([signal, unwanted.signal]),
      };
      try {
        const counted = await count(db, task);
        await finish(deps, task, counted);
      } catch (error) {
        if (unwanted.signal.aborted) return;
        if (!lastAttempt) throw error;
        deps.log.error({ fragmentId, err: error }, 'a fragment could not be counted');
        await db.transaction().execute((tx) =>
          returnFragment(tx, fragmentId, 'PROCESSING', {
            atMs: deps.clock.nowMs(),
            failReason: 'not_counted',
          }),
        );
      }
    },
  };
}

function startProcessing({ database, clock }: Deps, fragmentId: number): Promise<boolean> {
  return database.db.transaction().execute(async (tx) => {
    const fragment = await tx
      .selectFrom('segments')
      .select('status')
      .where('id', '=', fragmentId)
      .forUpdate()
      .executeTakeFirst();
    if (fragment?.status === 'LOADED') {
      await moveFragment(tx, fragmentId, 'PROCESSING', { atMs: clock.nowMs() });
      return true;
    }
    return fragment?.status === 'PROCESSING';
  });
}

async function finish(
  { database, clock }: Deps,
  { fragmentId, settings }: CountTask,
  { source, events, maxObjectsCount }: FragmentCount,
): Promise<void> {
  const atMs = clock.nowMs();
  const note = {
    source,
    events: events.length,
    at: new Date(atMs).toISOString(),
    settings: settings.version,
  };
  await database.db.transaction().execute(async (tx) => {
    if (source === 'video') await lockBatches(tx, await findBusOf(tx, fragmentId));
    const fragment = await tx
      .selectFrom('segments')
      .select(['status', 'status_from'])
      .where('id', '=', fragmentId)
      .forUpdate()
      .executeTakeFirst();
    if (fragment?.status !== 'PROCESSING') return;
    // The unit's own events are already stored.
    if (source === 'video') {
      const { busId, days } = await storeVideoEvents(tx, fragmentId, events, atMs);
      await requestLaps(tx, busId, days, { nowMs: atMs, waitMs: LAPS_WAIT_MS });
    }
    await tx
      .updateTable('segments')
      .set({
        max_objects_count: maxObjectsCount,
        info: sql`info || ${JSON.stringify({ counted: note })}::jsonb`,
      })
      .where('id', '=', fragmentId)
      .execute();
    // A merged video still contains a fragment that is counted again.
    const to = fragment.status_from === 'WAS_MERGED' ? 'WAS_MERGED' : 'PROCESSED';
    await moveFragment(tx, fragmentId, to, { atMs });
  });
}

async function readTask(
  db: Db,
  fragmentId: number,
): Promise<Omit<CountTask, 'onProgress' | 'signal'>> {
  const row = await db
    .selectFrom('segments')
    .innerJoin('cameras', 'cameras.id', 'segments.camera_id')
    .leftJoin('segment_files', (join) =>
      join
        .onRef('segment_files.segment_id', '=', 'segments.id')
        .on('segment_files.variant', '=', 'playable'),
    )
    .select(['start_time', 'end_time', 'storage_key', 'size_bytes', 'camera_id', 'door'])
    .select(['count_settings', 'count_settings_version'])
    .where('segments.id', '=', fragmentId)
    .executeTakeFirstOrThrow();
  const { storage_key: storageKey, size_bytes: sizeBytes } = row;
  return {
    fragmentId,
    startMs: row.start_time.getTime(),
    endMs: row.end_time.getTime(),
    file: storageKey === null || sizeBytes === null ? null : { storageKey, sizeBytes },
    settings: {
      cameraId: row.camera_id,
      door: row.door,
      values: row.count_settings as Record<string, unknown>,
      version: row.count_settings_version,
    },
  };
}

// Each write makes open pages reload the day, so writes are rare.
function createProgress(
  { database, clock }: Deps,
  fragmentId: number,
  onUnwanted: () => void,
): CountTask['onProgress'] {
  let notedMs = Number.NEGATIVE_INFINITY;
  return async (percent) => {
    if (clock.nowMs() - notedMs < PROGRESS_MS) return;
    notedMs = clock.nowMs();
    await database.db.transaction().execute(async (tx) => {
      const { numUpdatedRows } = await tx
        .updateTable('segments')
        .set({ counting_percent: Math.round(Math.min(100, Math.max(0, percent))) })
        .where('id', '=', fragmentId)
        .where('status', '=', 'PROCESSING')
        .executeTakeFirstOrThrow();
      if (numUpdatedRows > 0n) await markFragmentChanged(tx, fragmentId);
      else onUnwanted();
    });
  };
}

async function findBusOf(tx: Tx, fragmentId: number): Promise<number> {
  const { workplace_id } = await tx
    .selectFrom('segments')
    .innerJoin('cameras', 'cameras.id', 'segments.camera_id')
    .select('workplace_id')
    .where('segments.id', '=', fragmentId)
    .executeTakeFirstOrThrow();
  return workplace_id;
}
