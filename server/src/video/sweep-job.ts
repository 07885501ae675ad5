// Every minute: nothing stays stuck. What a crash, a lost link, a restored backup or a silent unit left behind is
// finished, requested again, or failed with a reason.
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Db } from '../core/db/db.ts';
import { addJob, EVERY_MINUTE, type JobDefinition } from '../core/jobs/jobs.ts';
import type { Deps } from '../deps.ts';
import { letGo, listHalfCancelled } from '../fetching/cancel-preload.ts';
import { requestIfWanted } from '../fetching/preload.ts';
import { listUnasked } from '../fetching/preloads.ts';
import { askAgain, failTry } from '../fetching/tries.ts';
import { USUAL_WAIT_MS, waitedTooLong } from '../fetching/waits.ts';
import { moveFragment, returnFragment } from '../fragments/state.ts';
import { nudgeVerification } from './order.ts';
import { createUploadSweep } from './uploads/open-uploads.ts';
import { createUploadStore } from './uploads/upload-store.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Uploads that stop are found twice a minute, ms. */
const HALF_A_MINUTE_MS = 30_000;
/** After the end of a recording its unit announces what becomes of it. */
const UNTOLD_MS = HOUR_MS;
const COUNTING_MS = HOUR_MS;
const MERGING_MS = 6 * HOUR_MS;
/** Younger requests may still be in progress, ms. */
const SETTLED_MS = MINUTE_MS;
/** A job that should have run by now was lost: a restored backup has none. */
const OVERDUE_MS = 10 * MINUTE_MS;

/** Most rows of a kind a minute. */
const MOST_ROWS = 1000;

/** Finishes or fails uploads, retries failed requests, ends stuck ones, adds lost jobs. */
export function sweepVideoJob(deps: Deps): JobDefinition {
  const uploads = createUploadSweep(deps, createUploadStore(deps));
  return {
    name: 'sweep_uploads',
    schedule: EVERY_MINUTE,
    run: async () => {
      const nowMs = deps.clock.nowMs();
      await uploads.sweepAll(nowMs);
      // A schedule has no half minutes.
      const later = { key: 'sweep_open_uploads', delayMs: HALF_A_MINUTE_MS, maxAttempts: 1 };
      await addJob(deps.database.db, 'sweep_open_uploads', {}, later);
      await sweepQueued(deps, nowMs);
      await sweepRequests(deps, nowMs);
      await sweepPreloads(deps, nowMs);
      await sweepStages(deps, nowMs);
      await renewJobs(deps, new Date(nowMs - OVERDUE_MS));
    },
  };
}

/** Finishes complete uploads and marks those that stopped, half a minute after the sweep of everything. */
export function sweepOpenUploadsJob(deps: Deps): JobDefinition {
  const uploads = createUploadSweep(deps, createUploadStore(deps));
  return {
    name: 'sweep_open_uploads',
    run: () => uploads.sweepNew(deps.clock.nowMs()),
  };
}

// A queued video that its unit has not begun to send is asked for: buses may be without a link overnight. From here on
// the attempts of a request hold: its unit sends the video, says why it cannot, or has failed to answer.
async function sweepQueued({ database: { db } }: Deps, nowMs: number): Promise<void> {
  const queued = await db
    .selectFrom('segments')
    .select('id')
    .where('status', '=', 'ADDED')
    .where('status_at', '<', new Date(nowMs - USUAL_WAIT_MS))
    .where('status_at', '<', waitedTooLong(nowMs, sql.ref('segments.unit_id')))
    .orderBy('status_at')
    .limit(MOST_ROWS)
    .execute();
  for (const { id } of queued) {
    await db.transaction().execute(async (tx) => {
      const still = await tx
        .selectFrom('segments')
        .select('id')
        .where('id', '=', id)
        .where('status', '=', 'ADDED')
        .forUpdate()
        .executeTakeFirst();
      if (still === undefined) return;
      const requested = { atMs: nowMs, failReason: 'not_sent' } as const;
      await moveFragment(tx, id, 'DOWNLOADING_FROM_TASK', requested);
      await askAgain(tx, id, nowMs);
    });
  }
}

async function sweepRequests({ database }: Deps, nowMs: number): Promise<void> {
  for (const { id } of await listOverdue(database.db, nowMs)) {
    await database.db.transaction().execute(async (tx) => {
      await tx.selectFrom('segments').select('id').where('id', '=', id).forUpdate().execute();
      // Its state may have changed meanwhile.
      const [waiting] = await listOverdue(tx, nowMs, id);
      if (waiting === undefined) return;
      const { overdue } = waiting;
      if (overdue === 'retry') await askAgain(tx, id, nowMs);
      else await failTry(tx, id, { ...failures[overdue], atMs: nowMs });
    });
  }
}

const failures = {
  answer: { reason: 'no_answer', isFinal: true },
  word: { reason: 'not_announced' },
  command: { reason: 'request_lost' },
} as const;

/** A fragment that waits for its unit, and when that should have ended. */
interface Overdue {
  readonly id: number;
  readonly overdue: 'retry' | keyof typeof failures;
}

async function listOverdue(db: Db, nowMs: number, onlyId?: number): Promise<Overdue[]> {
  const before = (ageMs: number): Date => new Date(nowMs - ageMs);
  const tooLong = waitedTooLong(nowMs, sql.ref('segments.unit_id'));
  const { rows } = await sql<Overdue>`
    select id, overdue from (
      select segments.id, case
        when retry_at is not null then case when retry_at <= ${before(0)} then 'retry' end
        when asked_at is not null then
          case when asked_at < ${before(USUAL_WAIT_MS)} and asked_at < ${tooLong} then 'answer' end
        when status = 'ADDING' then
          case when greatest(end_time, status_at) < ${before(UNTOLD_MS)} then 'word' end
        when status_at < ${before(SETTLED_MS)} then 'command' end as overdue
      from segments
      left join lateral (
        select max(created_at) as asked_at from unit_commands
        where segment_id = segments.id and finished_at is null) as commands on true
      where status in ('ADDING', 'DOWNLOADING_FROM_TASK', 'LOADING')
        and not exists (select from uploads where segment_id = segments.id
          and (retry_at is null or stopped_at is null or finished_at is not null))
        ${onlyId === undefined ? sql`` : sql`and segments.id = ${onlyId}`}) as waiting
    where overdue is not null order by id limit ${MOST_ROWS}`.execute(db);
  return rows;
}

// Requests that a crash interrupted or that a unit left out.
async function sweepPreloads({ database }: Deps, nowMs: number): Promise<void> {
  const unasked = await listUnasked(database.db, new Date(nowMs - SETTLED_MS));
  for (const { preloadId, fragmentId } of unasked) {
    await database.db
      .transaction()
      .execute((tx) => requestIfWanted(tx, preloadId, fragmentId, nowMs));
  }
  for (const id of await listHalfCancelled(database.db)) await letGo(database.db, id, nowMs);
}

async function sweepStages({ database }: Deps, nowMs: number): Promise<void> {
  const stages = [
    ['PROCESSING', COUNTING_MS, 'counting_stuck'],
    ['MERGING', MERGING_MS, 'merge_stuck'],
  ] as const;
  for (const [status, limitMs, failReason] of stages) {
    const stuck = await database.db
      .selectFrom('segments')
      .select('id')
      .where('status', '=', status)
      .where('status_at', '<', new Date(nowMs - limitMs))
      .orderBy('status_at')
      .limit(MOST_ROWS)
      .execute();
    for (const { id } of stuck) {
      await database.db
        .transaction()
        .execute((tx) => returnFragment(tx, id, status, { atMs: nowMs, failReason }));
    }
  }
}

const isWithoutJob = (key: RawBuilder<unknown>): RawBuilder<SqlBool> =>
  sql`not exists (select from graphile_worker.jobs where key = ${key})`;

// Only missing jobs: one that waits for a retry, runs or has failed for good stays.
async function renewJobs(deps: Deps, before: Date): Promise<void> {
  const { db } = deps.database;
  const finished = await db
    .selectFrom('uploads')
    .select('id')
    .where('finished_at', '<', before)
    .where(isWithoutJob(sql`'verify:' || uploads.id`))
    .orderBy('finished_at')
    .limit(MOST_ROWS)
    .execute();
  for (const { id } of finished) await nudgeVerification(db, id, true);
  const loaded = await db
    .selectFrom('segments')
    .innerJoin('cameras', 'cameras.id', 'segments.camera_id')
    .select('segments.id')
    .where('segments.status', '=', 'LOADED')
    // A fragment that failed to be counted has a reason and stays.
    .where('segments.fail_reason', 'is', null)
    .where('cameras.live', '=', false)
    .where('segments.status_at', '<', before)
    .where(isWithoutJob(sql`'count:' || segments.id`))
    .orderBy('segments.status_at')
    .limit(MOST_ROWS)
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
