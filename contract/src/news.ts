import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { Day, Id } from './primitives.ts';

/** Classes of background work, each with its own workers. */
export const JobClass = z.enum([
  'laps',
  'slow',
  'past',
  'video',
  'merges',
  'reports',
  'recalculation',
  'sweeps',
  'schedule',
]);
export type JobClass = z.infer<typeof JobClass>;

const DiskNotice = z.object({
  kind: z.literal('disk'),
  percent: z.int(),
  /** Fragments whose video was deleted in the last 24 hours to make room, and the day of the newest, in Moscow. */
  deleted: z.int(),
  until: z.nullable(Day),
});

/** Classes whose oldest job has waited for more than 10 minutes. */
const JobsNotice = z.object({
  kind: z.literal('jobs'),
  classes: z.array(z.object({ class: JobClass, waiting: z.int(), minutes: z.int() })),
});

/** Days whose laps break a limit: how many, of how many buses, and the newest. */
const LapsNotice = z.object({
  kind: z.literal('laps'),
  days: z.int(),
  buses: z.int(),
  bus: z.string(),
  day: Day,
  reason: z.enum(['too_long', 'too_large']),
});

/** Messages of the server to administrators; screens translate them. */
export const Notice = z.discriminatedUnion('kind', [DiskNotice, JobsNotice, LapsNotice]);
export type Notice = z.infer<typeof Notice>;

/** An info banner of the bus list. */
export const Message = z.object({
  id: Id,
  title: z.string(),
  text: z.string(),
  notice: z.nullable(Notice),
});
export type Message = z.infer<typeof Message>;

export const listActiveMessages = endpoint({
  method: 'GET',
  path: '/api/news/active-messages',
  summary: 'The info banners that are shown now',
  access: 'user',
  response: z.object({ items: z.array(Message), number: z.int(), total: z.int() }),
  errors: ['unauthorized'],
});
