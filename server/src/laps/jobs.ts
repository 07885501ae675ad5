import { jobClasses } from '../core/jobs/job-classes.ts';
import type { JobDefinition } from '../core/jobs/jobs.ts';
import { LAPS_JOB, PAST_LAPS_JOB, SLOW_LAPS_JOB } from '../days/nudge.ts';
import type { Deps } from '../deps.ts';
import { QUICK_COMPUTATION_MS } from './computation/day-limit.ts';
import { lapsOfDayJob } from './computation/job.ts';
import { sweepLapsJob } from './computation/sweep-job.ts';
import { createDayThreads } from './computation/thread.ts';
import { recalculateLapsJob } from './recalculation/recalculate-job.ts';

/** The worker's jobs for laps. Each class has its own threads: a slow day delays no quick one. */
export function lapsJobs(deps: Deps): JobDefinition[] {
  const threadsOf = (threads: number, maxComputationMs?: number) =>
    createDayThreads({ threads, maxComputationMs }).computeDay;
  return [
    lapsOfDayJob(deps, LAPS_JOB, threadsOf(jobClasses.laps.workers, QUICK_COMPUTATION_MS)),
    lapsOfDayJob(deps, SLOW_LAPS_JOB, threadsOf(jobClasses.slow.workers)),
    lapsOfDayJob(deps, PAST_LAPS_JOB, threadsOf(jobClasses.past.workers)),
    recalculateLapsJob(deps, threadsOf(jobClasses.recalculation.workers)),
    sweepLapsJob(deps),
  ];
}
