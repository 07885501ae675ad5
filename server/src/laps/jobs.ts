import type { Deps } from '../app.ts';
import type { JobDefinition } from '../jobs.ts';
import { lapsOfDayJob } from './job.ts';
import { promoteLapsJob } from './promote-job.ts';

/** What the worker does with laps. */
export function lapsJobs(deps: Deps): JobDefinition[] {
  return [lapsOfDayJob(deps), promoteLapsJob(deps)];
}
