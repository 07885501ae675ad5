// How far background work is behind, by class: the jobs that are due and not started, and those whose attempts fail,
// which wait since the first attempt.
import type { JobClass } from '@ridewatch/contract/news';
import { sql } from 'kysely';
import type { Db } from '../db/db.ts';
import { classOfJob, jobClassNames } from './job-classes.ts';

/** A class whose oldest job waits longer is degraded, s. */
export const DEGRADED_S = 600;

export interface JobBacklog {
  readonly class: JobClass;
  /** Jobs that are due and not started, or wait for another attempt. */
  readonly waiting: number;
  /** How long the oldest of them has been due, s; 0 when none waits. */
  readonly oldestS: number;
}

// graphile-worker waits exp(attempts) seconds after a failed attempt, at most exp(10): the time of the first follows
// from that of the next.
const WAITED_S = sql`extract(epoch from now() - run_at) + coalesce(
  (select sum(exp(least(try, 10))) from generate_series(1, attempts) as try), 0)`;

/** The backlog of every class, by the database's clock, as the queue uses it. */
export async function listJobBacklogs(db: Db): Promise<JobBacklog[]> {
  const { rows } = await sql<{ task: string; waiting: number; oldest_s: number }>`
    select task_identifier as task, count(*)::int as waiting,
      max(${WAITED_S})::float8 as oldest_s
    from graphile_worker.jobs
    where (run_at <= now() or attempts > 0) and locked_at is null and attempts < max_attempts
    group by task_identifier`.execute(db);
  return jobClassNames.map((name) => {
    const mine = rows.filter(({ task }) => classOfJob(task) === name);
    return {
      class: name,
      waiting: mine.reduce((sum, { waiting }) => sum + waiting, 0),
      oldestS: Math.max(0, ...mine.map(({ oldest_s }) => oldest_s)),
    };
  });
}

/** The degraded ones. */
export function degradedOf(backlogs: readonly JobBacklog[]): JobBacklog[] {
  return backlogs.filter(({ oldestS }) => oldestS > DEGRADED_S);
}
