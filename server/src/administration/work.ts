import type * as contract from '@ridewatch/contract/admin-work';
import type { QueryOf } from '@ridewatch/contract/endpoint';
import { type RawBuilder, sql } from 'kysely';
import { isBusOfClient } from '../access/client.ts';
import { isOwnDay, isVisibleBus } from '../access/visible.ts';
import type { Db } from '../core/db/db.ts';
import { notFound } from '../core/errors.ts';
import { listJobBacklogs } from '../core/jobs/job-backlogs.ts';
import { classOfJob, jobClasses, jobClassNames } from '../core/jobs/job-classes.ts';
import type { Viewer } from '../core/viewer.ts';
import { readJobObjects } from './job-objects.ts';
import { contains, equals, type Page, readPage } from './page.ts';

type Job = contract.AdminJob;
type JobRow = Omit<Job, 'class' | 'object'>;

/** Longest text of an error in an answer, characters. */
const MOST_ERROR = 2000;

const jobColumns = {
  task: sql`task`,
  state: sql`(place, due)`,
  attempts: sql`attempts`,
  run_at: sql`run_at`,
} as const;

// By state those come first that need somebody: failed, tried again, running, waiting. Among failed ones the latest is
// first, among the others the one that is due first.
const jobRows = (where: RawBuilder<boolean>) => sql`
  select * from (
    select id, task_identifier as task, key, attempts, max_attempts, run_at,
      extract(epoch from now() - run_at)::int as due_s,
      extract(epoch from now() - created_at)::int as age_s,
      left(last_error, ${MOST_ERROR}) as last_error,
      case when locked_at is not null then 'running' when attempts >= max_attempts then 'failed'
        when attempts > 0 then 'retrying' else 'waiting' end as state,
      case when locked_at is not null then 3 when attempts >= max_attempts then 1
        when attempts > 0 then 2 else 4 end as place,
      extract(epoch from run_at) * case when locked_at is null and attempts >= max_attempts
        then -1 else 1 end as due
    from graphile_worker.jobs
  ) as jobs where ${where}`;

/**
 * One page of the background jobs. By default those that failed come first, the latest of them first; then those that
 * are tried again, those that run and those that wait, each by when they are due.
 */
export async function listJobs(
  db: Db,
  query: QueryOf<typeof contract.listJobs>,
): Promise<Page<Job>> {
  const tasks = query.class === undefined ? undefined : [...jobClasses[query.class].jobs];
  const ofClass =
    tasks === undefined ? sql<boolean>`true` : sql<boolean>`task = any(${tasks}::text[])`;
  const where = sql<boolean>`${ofClass} and ${equals(sql`state`, query.state)}
    and ${contains(query.search, sql`task`, sql`coalesce(key, '')`)}`;
  const page = await readPage<JobRow>(db, jobRows(where), query, {
    by: jobColumns[query.sortBy ?? 'state'],
  });
  return { ...page, items: await jobsOf(db, page.items) };
}

async function jobsOf(db: Db, rows: readonly JobRow[]): Promise<Job[]> {
  const objects = await readJobObjects(
    db,
    rows.flatMap(({ key }) => key ?? []),
  );
  return rows.map((row) => ({
    ...{ id: row.id, task: row.task, class: classOfJob(row.task) ?? null, state: row.state },
    ...{ key: row.key, object: objects.get(row.key ?? '') ?? null },
    ...{ attempts: row.attempts, max_attempts: row.max_attempts, last_error: row.last_error },
    ...{ due_s: row.due_s, age_s: row.age_s },
  }));
}

/** @throws AppError not_found, also for a job that has ended */
export async function readJob(db: Db, id: number): Promise<Job> {
  const { rows } = await jobRows(sql`id = ${id}`).execute(db);
  const [job] = await jobsOf(db, rows as JobRow[]);
  if (job === undefined) throw notFound();
  return job;
}

/** Every class of work with its backlog and its failed jobs. */
export async function listClasses(db: Db): Promise<contract.JobBacklog[]> {
  const backlogs = await listJobBacklogs(db);
  const { rows } = await sql<{ task: string; running: number; failed: number }>`
    select task_identifier as task, count(*) filter (where locked_at is not null)::int as running,
      count(*) filter (where locked_at is null and attempts >= max_attempts)::int as failed
    from graphile_worker.jobs group by task_identifier`.execute(db);
  return jobClassNames.map((name) => {
    const mine = rows.filter(({ task }) => classOfJob(task) === name);
    const backlog = backlogs.find((one) => one.class === name);
    return {
      class: name,
      waiting: backlog?.waiting ?? 0,
      oldest_s: Math.round(backlog?.oldestS ?? 0),
      running: mine.reduce((sum, one) => sum + one.running, 0),
      failed: mine.reduce((sum, one) => sum + one.failed, 0),
    };
  });
}

/** @returns false when the job runs, or has ended meanwhile */
export async function runJobNow(db: Db, id: number): Promise<boolean> {
  const { rows } = await sql`select id from graphile_worker.reschedule_jobs(
    array[${id}::bigint], run_at := now(), attempts := 0)`.execute(db);
  return rows.length > 0;
}

type FailedDay = contract.FailedBusDay;
type FailedRow = Omit<FailedDay, 'taken_at' | 'retry_at'> & {
  readonly taken_at: Date | null;
  readonly retry_at: Date | null;
};

const dayColumns = {
  bus: sql`bus ->> 'name' collate natural_ru`,
  date: sql`date`,
  failures: sql`failures`,
} as const;

/** Days of a bus from 2000 on are numbered; more than 270 years have fewer. */
const DAYS_OF_BUS = 100_000;

/** One page of the days that broke a limit, of visible buses, the latest first. @param nowMs ms since 1970 UTC */
export async function listFailedDays(
  db: Db,
  viewer: Viewer,
  query: QueryOf<typeof contract.listFailedDays>,
  nowMs: number,
): Promise<Page<FailedDay>> {
  const ofClient = isBusOfClient(sql.ref('workplaces.id'), query.clientId, nowMs);
  const rows = sql`
    select workplaces.id * ${DAYS_OF_BUS} + (day - date '2000-01-01') as id, day as date,
      jsonb_build_object('id', workplaces.id, 'name', workplaces.name) as bus,
      failure as reason, failures, taken_at, retry_at, due_at is not null as waits
    from lap_days join workplaces on workplaces.id = workplace_id
    where failure is not null and ${isVisibleBus(viewer, sql.ref('workplaces.id'))}
      and ${isOwnDay(viewer, sql.ref('workplaces.id'), sql.ref('lap_days.day'))}
      and ${ofClient} and ${contains(query.search, sql`workplaces.name`)}`;
  return readPage<FailedRow>(db, rows, query, {
    by: dayColumns[query.sortBy ?? 'date'],
    isDescending: query.sortBy === undefined,
  });
}
