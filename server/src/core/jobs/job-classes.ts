// Classes of background work. Each class has its own workers in every process with the role 'worker', so that a class
// that is stuck or days behind never delays another.

import { JobClass } from '@ridewatch/contract/news';

interface JobClassSettings {
  /** Concurrent jobs of the class in one process. */
  readonly workers: number;
  /**
   * Interval at which the class polls for jobs that have become due, ms. The database notifies of jobs that are due at
   * once.
   */
  readonly pollMs: number;
  readonly jobs: readonly string[];
}

/** Every job has one class. Within a class a smaller priority goes first, then the earlier due time. */
export const jobClasses = {
  /** Laps of the present and of days that somebody looks at; a slow day moves to the next class. */
  laps: { workers: 2, pollMs: 1000, jobs: ['laps_of_day'] },
  /** Laps of slow days. */
  slow: { workers: 1, pollMs: 2000, jobs: ['laps_of_slow_day'] },
  /** Laps of past days: the backlog, one at a time, the newest first. */
  past: { workers: 1, pollMs: 2000, jobs: ['laps_of_past_day'] },
  video: { workers: 2, pollMs: 2000, jobs: ['verify_upload', 'count_segment', 'judge_clock'] },
  merges: { workers: 1, pollMs: 2000, jobs: ['merge'] },
  reports: { workers: 1, pollMs: 2000, jobs: ['make_report'] },
  /** Recalculations that a user asked for. */
  recalculation: {
    workers: 1,
    pollMs: 2000,
    jobs: [
      'recalculate_laps',
      'recalculate_segments',
      'rebuild_hours',
      'release_tests',
      'settle_days',
      'make_profiles',
    ],
  },
  /** Short sweeps for unfinished work, and the deletion of files. */
  sweeps: {
    workers: 2,
    pollMs: 2000,
    jobs: [
      'sweep_uploads',
      'sweep_open_uploads',
      'sweep_merges',
      'sweep_reports',
      'sweep_laps',
      'place_aside',
      'check_counters',
      'close_days',
      'end_month',
      'watch_disk',
      'watch_live',
      'delete_media',
      'trim_upstreams',
      'demo_silent_unit',
    ],
  },
  /** Causes of attention, and their messages, which wait for the machines of others. */
  attention: { workers: 2, pollMs: 2000, jobs: ['watch_attention', 'send_attention'] },
  /** Jobs at a time of day. */
  schedule: { workers: 1, pollMs: 2000, jobs: ['retention'] },
} as const satisfies Record<JobClass, JobClassSettings>;

/**
 * Priorities of the class `video`, a smallint; smaller runs first. The count of a new fragment is cheap and its last
 * step, so it runs before verifications. Recounts wait for everything that units have sent.
 */
export const videoPriorities = {
  count: -2,
  firstVerification: 0,
  lastVerification: 19_999,
  firstRecount: 20_000,
  lastRecount: 32_000,
} as const;

export type JobName = (typeof jobClasses)[JobClass]['jobs'][number];

/** The classes, in the order in which they are listed. */
export const jobClassNames = JobClass.options;

/** The class of a job; undefined when this version does not know the job. */
export function classOfJob(name: string): JobClass | undefined {
  return jobClassNames.find((one) => jobClasses[one].jobs.some((job) => job === name));
}
