import type { JobDefinition } from '../core/jobs/jobs.ts';
import type { Deps } from '../deps.ts';
import { findFfmpeg } from '../media/ffmpeg.ts';
import { emptyWorkFolder } from '../media/work-folder.ts';
import { judgeClockJob } from './clock-job.ts';
import { deleteMediaJob } from './delete-job.ts';
import { sweepOpenUploadsJob, sweepVideoJob } from './sweep-job.ts';
import { verifyUploadJob } from './verify-job.ts';

/** The worker's jobs for video. */
export function videoJobs(deps: Deps): JobDefinition[] {
  emptyWorkFolder(deps.config);
  return [
    ...readingJobs(deps),
    judgeClockJob(deps),
    sweepVideoJob(deps),
    sweepOpenUploadsJob(deps),
    deleteMediaJob(deps),
  ];
}

// Without video the uploads that have come before wait in the queue.
function readingJobs(deps: Deps): JobDefinition[] {
  if (deps.videoOff !== undefined) return [];
  const ffmpeg = findFfmpeg(deps.config);
  deps.log.info(ffmpeg, 'ffmpeg found');
  return [verifyUploadJob(deps, ffmpeg)];
}
