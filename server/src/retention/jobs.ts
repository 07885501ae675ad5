import type { JobDefinition } from '../core/jobs/jobs.ts';
import type { Deps } from '../deps.ts';
import { retentionJob } from './nightly-job.ts';
import { watchDiskJob } from './watch-disk-job.ts';

/** The worker's jobs against a full disk. */
export function retentionJobs(deps: Deps): JobDefinition[] {
  return [retentionJob(deps), watchDiskJob(deps)];
}
