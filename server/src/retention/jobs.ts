import type { JobDefinition } from '../core/jobs/jobs.ts';
import type { Deps } from '../deps.ts';
import { retentionJob } from './nightly-job.ts';
import { watchDiskJob } from './watch-disk-job.ts';

/** What the worker does so that the disk does not fill up. */
export function retentionJobs(deps: Deps): JobDefinition[] {
  return [retentionJob(deps), watchDiskJob(deps)];
}
