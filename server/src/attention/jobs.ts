import type { JobDefinition } from '../core/jobs/jobs.ts';
import type { Deps } from '../deps.ts';
import { sendAttentionJob } from './sending/send-job.ts';
import { watchAttentionJob } from './watch-job.ts';

/** The worker's jobs about what needs attention. */
export function attentionJobs(deps: Deps): JobDefinition[] {
  return [watchAttentionJob(deps), sendAttentionJob(deps)];
}
