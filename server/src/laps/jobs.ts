import type { Deps } from '../app.ts';
import { jobClasses } from '../job-classes.ts';
import type { JobDefinition } from '../jobs.ts';
import { lapsOfDayJob } from './job.ts';
import { LAPS_JOB, PAST_LAPS_JOB } from './nudge.ts';
import { recalculateLapsJob } from './recalculate-job.ts';
import { sweepLapsJob } from './sweep-job.ts';
import { createDayThreads } from './thread.ts';

/** What the worker does with laps. Each class has threads of its own: a slow day of the past delays none of today. */
export function lapsJobs(deps: Deps): JobDefinition[] {
  const threadsOf = (threads: number) => createDayThreads({ threads }).workOut;
  return [
    lapsOfDayJob(deps, LAPS_JOB, threadsOf(jobClasses.laps.workers)),
    lapsOfDayJob(deps, PAST_LAPS_JOB, threadsOf(jobClasses.past.workers)),
    recalculateLapsJob(deps, threadsOf(jobClasses.recalculation.workers)),
    sweepLapsJob(deps),
  ];
}
