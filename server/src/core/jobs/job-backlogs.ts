// How far background work is behind, by class: the jobs that are due and not started, and those whose attempts fail,
// which wait since the first attempt.
import type { JobClass } from '@ridewatch/contract/news';
import { sql } from 'kysely';
import type { Db } from '../db/db.ts';
import { classOfJob, jobClassNames } from './job-classes.ts';

/** A class whose oldest job waits longer is degraded, s, unless fewer jobs wait than at some time within that period. */
export const DEGRADED_S = 600;
/** How long the numbers of waiting jobs are kept, s. */
const KEPT_S = 3600;

export interface JobBacklog {
  readonly class: JobClass;
  /** Jobs that are due and not started, or wait for another attempt. */
  readonly waiting: number;
  /** How long the oldest of them has been due, s; 0 when none waits. */
  readonly oldestS: number;
  /** How long the oldest of those has been due that have failed already, s; 0 when none has. */
  readonly oldestFailingS: number;
  /** The most jobs that waited within the last ten minutes, as far as known. */
  readonly peak: number;
}

// graphile-worker waits exp(attempts) seconds after a failed attempt, at most exp(10): the time of the first follows
// from that of the next.
const WAITED_S = sql`extract(epoch from now() - run_at) + coalesce(
  (select sum(exp(least(try, 10))) from generate_series(1, attempts) as try), 0)`;

/** The backlog of every class, by the database's clock, as the queue uses it. */
export async function listJobBacklogs(db: Db): Promise<JobBacklog[]> {
  const { rows } = await sql<{
    task: string;
    waiting: number;
    oldest_s: number;
    failing_s: number | null;
  }>`
    select task_identifier as task, count(*)::int as waiting,
      max(${WAITED_S})::float8 as oldest_s,
      max(${WAITED_S}) filter (where attempts > 0)::float8 as failing_s
    from graphile_worker.jobs
    where (run_at <= now() or attempts > 0) and locked_at is null and attempts < max_attempts
    group by task_identifier`.execute(db);
  const { rows: peaks } = await sql<{ class: string; peak: number }>`
    select class, max(waiting) as peak from backlog_samples
    where minute > now() - ${DEGRADED_S} * interval '1 s' group by class`.execute(db);
  return jobClassNames.map((name) => {
    const mine = rows.filter(({ task }) => classOfJob(task) === name);
    return {
      class: name,
      waiting: mine.reduce((sum, { waiting }) => sum + waiting, 0),
      oldestS: Math.max(0, ...mine.map(({ oldest_s }) => oldest_s)),
      oldestFailingS: Math.max(0, ...mine.map(({ failing_s }) => failing_s ?? 0)),
      peak: peaks.find((one) => one.class === name)?.peak ?? 0,
    };
  });
}

/** Notes how many jobs wait now, once a minute for all processes. */
export async function noteBacklogs(db: Db, backlogs: readonly JobBacklog[]): Promise<void> {
  await sql`
    insert into backlog_samples (class, minute, waiting)
    select class, date_trunc('minute', now()), waiting from unnest(
      ${backlogs.map((one) => one.class)}::text[], ${backlogs.map(({ waiting }) => waiting)}::int[])
      as now_waiting (class, waiting)
    on conflict do nothing`.execute(db);
  await sql`delete from backlog_samples where minute < now() - ${KEPT_S} * interval '1 s'`.execute(
    db,
  );
}

/** The degraded ones. A backlog that shrinks, as after a night without links, is worked off; one that fails is not. */
export function degradedOf(backlogs: readonly JobBacklog[]): JobBacklog[] {
  return backlogs.filter(
    ({ oldestS, oldestFailingS, waiting, peak }) =>
      oldestFailingS > DEGRADED_S || (oldestS > DEGRADED_S && waiting >= peak),
  );
}
