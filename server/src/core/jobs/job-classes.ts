// Background work by class. Each class has workers of its own in every process with the role 'worker', so that a class
// that is stuck or has days of backlog never delays another one.

import { JobClass } from '@ridewatch/contract/news';

interface JobClassSettings {
  /** Jobs of the class at once in one process. */
  readonly workers: number;
  /** So often the class looks for jobs that have become due, ms; a job that is due at once is told of by the database. */
  readonly pollMs: number;
  readonly jobs: readonly string[];
}

/** Every job has one class; inside a class the smaller priority goes first, then the one that was due first. */
export const jobClasses = {
  /** Laps of the present, and of whatever day somebody looks at; a day that takes long is left to the next class. */
  laps: { workers: 2, pollMs: 1000, jobs: ['laps_of_day'] },
  /** Laps of days that take long. */
  slow: { workers: 1, pollMs: 2000, jobs: ['laps_of_slow_day'] },
  /** Laps of past days, which come as backlog: one after the other, the newest first. */
  past: { workers: 1, pollMs: 2000, jobs: ['laps_of_past_day'] },
  video: { workers: 2, pollMs: 2000, jobs: ['verify_upload', 'count_segment'] },
  merges: { workers: 1, pollMs: 2000, jobs: ['merge'] },
  /** What somebody asked to have worked out or counted anew. */
  recalculation: {
    workers: 1,
    pollMs: 2000,
    jobs: ['recalculate_laps', 'recalculate_segments', 'rebuild_hours'],
  },
  /** Short looks for what was left undone, and the deletion of files. */
  sweeps: {
    workers: 2,
    pollMs: 2000,
    jobs: [
      'sweep_uploads',
      'sweep_merges',
      'sweep_laps',
      'watch_disk',
      'watch_live',
      'delete_media',
    ],
  },
  /** What runs at a time of the day. */
  schedule: { workers: 1, pollMs: 2000, jobs: ['retention'] },
} as const satisfies Record<JobClass, JobClassSettings>;

export type JobName = (typeof jobClasses)[JobClass]['jobs'][number];

/** The classes, in the order in which they are told of. */
export const jobClassNames = JobClass.options;

/** The class of a job; undefined for one that this version does not know. */
export function classOfJob(name: string): JobClass | undefined {
  return jobClassNames.find((one) => jobClasses[one].jobs.some((job) => job === name));
}
