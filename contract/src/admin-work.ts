// Background jobs, days that could not be worked out, and storage.
import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { DayLimit } from './laps.ts';
import { JobClass } from './news.ts';
import { Named, pageFields, pageOf } from './paging.ts';
import { Day, Id, IdText, Moment } from './primitives.ts';

/** `failed`: all attempts are used up; nobody tries again unless somebody asks. */
export const JobState = z.enum(['running', 'waiting', 'retrying', 'failed']);
export type JobState = z.infer<typeof JobState>;

/** The object of a job: a day of a bus, a recording of a camera from a moment on, or an object with only a name. */
export const JobObject = z.object({
  bus: z.nullable(Named),
  date: z.nullable(Day),
  camera: z.nullable(z.string()),
  at: z.nullable(Moment),
  /** The login of who asked for a report. */
  login: z.nullable(z.string()),
});
export type JobObject = z.infer<typeof JobObject>;

export const AdminJob = z.object({
  id: Id,
  task: z.string(),
  /** Null for a job that this version does not know. */
  class: z.nullable(JobClass),
  state: JobState,
  /** The key of the job in the queue: `day:12:2026-11-20`. */
  key: z.nullable(z.string()),
  /** The bus, camera or other object that the key names; null for a job without one, and for a deleted one. */
  object: z.nullable(JobObject),
  attempts: z.int(),
  max_attempts: z.int(),
  last_error: z.nullable(z.string()),
  /** How long it has been due, s, by the clock of the queue, the database's; negative: it is due later. */
  due_s: z.int(),
  /** How long ago it was added, s, by the same clock. */
  age_s: z.int(),
});
export type AdminJob = z.infer<typeof AdminJob>;

/** A class of work, and how far it is behind. */
export const JobBacklog = z.object({
  class: JobClass,
  waiting: z.int(),
  /** How long the oldest has been due, s. */
  oldest_s: z.int(),
  running: z.int(),
  failed: z.int(),
});
export type JobBacklog = z.infer<typeof JobBacklog>;

export const listJobs = endpoint({
  method: 'GET',
  path: '/api/admin/jobs',
  summary: 'Background jobs, those that failed first, and how far each class is behind',
  access: 'admin',
  query: z.object({
    ...pageFields,
    sortBy: z.optional(z.enum(['task', 'state', 'attempts', 'run_at'])),
    class: z.optional(JobClass),
    state: z.optional(JobState),
  }),
  response: z.extend(pageOf(AdminJob), { classes: z.array(JobBacklog) }),
  errors: ['unauthorized', 'invalid_request', 'no_right'],
});

const job = z.object({ jobId: IdText });

export const findJob = endpoint({
  method: 'GET',
  path: '/api/admin/jobs/{jobId}',
  summary: 'A background job',
  access: 'admin',
  params: job,
  response: AdminJob,
  errors: ['unauthorized', 'invalid_request', 'no_right', 'not_found'],
});

export const retryJob = endpoint({
  method: 'POST',
  path: '/api/admin/jobs/{jobId}/retry',
  summary: 'Runs a job that failed or waits now, with all of its attempts',
  access: 'admin',
  params: job,
  errors: ['unauthorized', 'invalid_request', 'no_right', 'not_found', 'conflict'],
});

/** A day of a bus whose laps broke a limit. */
export const FailedBusDay = z.object({
  /** Of the bus and the day together. */
  id: Id,
  bus: Named,
  date: Day,
  reason: DayLimit,
  /** Attempts in a row that came to nothing. */
  failures: z.int(),
  taken_at: z.nullable(Moment),
  /** When data of the unit have it tried again; null: with the next. */
  retry_at: z.nullable(Moment),
  /** Somebody has asked for it, and it waits. */
  waits: z.boolean(),
});
export type FailedBusDay = z.infer<typeof FailedBusDay>;

export const listFailedDays = endpoint({
  method: 'GET',
  path: '/api/admin/days',
  summary: 'Days of buses that could not be worked out, the latest first',
  access: 'user',
  query: z.object({
    ...pageFields,
    sortBy: z.optional(z.enum(['bus', 'date', 'failures'])),
    clientId: z.optional(IdText),
  }),
  response: pageOf(FailedBusDay),
  errors: ['unauthorized', 'invalid_request', 'no_right', 'not_found'],
});

export const retryFailedDay = endpoint({
  method: 'POST',
  path: '/api/admin/days/retry',
  summary: 'Has a day worked out again now',
  access: 'user',
  body: z.object({ workplaceId: Id, date: Day }),
  errors: ['unauthorized', 'invalid_request', 'no_right', 'not_found'],
});

/** The space that the video of a customer's buses takes. */
export const StorageUse = z.object({
  /** Of the customer. */
  id: Id,
  name: z.string(),
  /** A bus of several customers counts for each. */
  bytes: z.int(),
  fragments: z.int(),
  /** Stored in the last seven days. */
  week_bytes: z.int(),
  oldest: z.nullable(Moment),
});
export type StorageUse = z.infer<typeof StorageUse>;

/** The disk of a machine's `DATA_DIR`, as its worker read it last. */
export const StorageDisk = z.object({
  /** Host name. */
  machine: z.string(),
  total_bytes: z.int(),
  free_bytes: z.int(),
  percent: z.int(),
  /** The room that fills in a day, at the pace of the last week; below 0: it got room; null: known after a day. */
  day_bytes: z.nullable(z.int()),
  /** Until it is crowded, at that pace; null: its pace is not known, or it does not fill. */
  days_left: z.nullable(z.int()),
  read_at: Moment,
});
export type StorageDisk = z.infer<typeof StorageDisk>;

export const findStorage = endpoint({
  method: 'GET',
  path: '/api/admin/storage',
  summary: 'The disks, how many days they last, and what the video of each customer takes',
  access: 'admin',
  query: z.object({
    ...pageFields,
    sortBy: z.optional(z.enum(['name', 'bytes', 'fragments', 'week_bytes', 'oldest'])),
  }),
  response: z.extend(pageOf(StorageUse), {
    /** Of the machines that work, by name; before the first reading that of the answering process. */
    disks: z.array(StorageDisk),
    /** From this percentage on a disk is crowded, and the oldest video on it is deleted. */
    full_percent: z.int(),
    video: z.object({
      /** Its place: on a disk, or in an object store. */
      media: z.enum(['folder', 's3']),
      /** Of all customers, each file once. */
      bytes: z.int(),
      /** When the sums of video were made. */
      made_at: Moment,
    }),
  }),
  errors: ['unauthorized', 'invalid_request', 'no_right'],
});
