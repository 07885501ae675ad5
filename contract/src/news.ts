import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { Day, Id, IdText, Moment } from './primitives.ts';

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
  'attention',
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
  mediaId: z.nullable(Id),
  notice: z.nullable(Notice),
});
export type Message = z.infer<typeof Message>;

export const listActiveMessages = endpoint({
  method: 'GET',
  path: '/api/news/active-messages',
  summary: 'The info banners that are shown now and that the user has not closed',
  access: 'user',
  response: z.object({ items: z.array(Message), number: z.int(), total: z.int() }),
  errors: ['unauthorized'],
});

const PageText = z.string().check(z.regex(/^\d{1,6}$/, 'must be 0 or a greater number'));
const SizeText = z.string().check(z.regex(/^([1-9]\d{0,2}|[1-4]\d{3}|5000)$/, 'must be 1 to 5000'));

export const closeMessage = endpoint({
  method: 'POST',
  path: '/api/news/messages/{messageId}/close',
  summary: 'Closes an info banner for the user, on all devices',
  access: 'user',
  params: z.object({ messageId: IdText }),
  errors: ['unauthorized', 'invalid_request', 'not_found'],
});

export const listMessages = endpoint({
  method: 'GET',
  path: '/api/news/messages',
  summary: 'The info banners, the newest first; for administrators also those that are not shown',
  access: 'user',
  query: z.object({
    /** `false`: for administrators also what is not shown. */
    active: z._default(z.enum(['true', 'false']), 'true'),
    /** From 0. */
    page: z.optional(PageText),
    /** 10 unless given, as `pageSize`, which means the same. */
    perPage: z.optional(SizeText),
    pageSize: z.optional(SizeText),
  }),
  response: z.object({
    items: z.array(z.extend(Message, { active: z.boolean(), createdAt: Moment })),
    number: z.int(),
    total: z.int(),
  }),
  errors: ['unauthorized', 'invalid_request'],
});

/** News, and answers to frequent questions. */
export const NewsType = z.enum(['NEWS', 'FAQ']);
export type NewsType = z.infer<typeof NewsType>;

/** Largest image or file of a news item or banner, bytes. */
export const MAX_MEDIA_BYTES = 10 * 1024 * 1024;
/** Formats that screens show; others are offered as a file. */
export const SHOWN_FORMATS = ['jpeg', 'png', 'gif', 'webp'] as const;
/** Most items of a page; news and questions ask for all (spec section 9). */
export const MAX_NEWS = 5000;

export const NewsItem = z.object({
  id: Id,
  type: NewsType,
  title: z.string(),
  /** Plain text with line breaks and links. */
  text: z.string(),
  active: z.boolean(),
  createdAt: Moment,
  /** Shown from then on, while it is active. */
  dateFrom: Moment,
  mediaId: z.nullable(Id),
  /** Whether the user has read it. */
  read: z.boolean(),
});
export type NewsItem = z.infer<typeof NewsItem>;

export const searchNews = endpoint({
  method: 'GET',
  path: '/api/news/search',
  summary: 'News or questions that are shown now; for administrators also the others',
  access: 'user',
  query: z.object({
    type: z._default(NewsType, 'NEWS'),
    sortBy: z._default(z.enum(['dateFrom', 'createdAt', 'title']), 'dateFrom'),
    sortType: z._default(z.enum(['DESC', 'ASC']), 'DESC'),
    /** `false`: for administrators also what is not shown. */
    active: z._default(z.enum(['true', 'false']), 'true'),
    /** From 0. */
    page: z.optional(PageText),
    /** 10 unless given, as `pageSize`, which means the same. */
    perPage: z.optional(SizeText),
    pageSize: z.optional(SizeText),
  }),
  response: z.object({ items: z.array(NewsItem), number: z.int(), total: z.int() }),
  errors: ['unauthorized', 'invalid_request'],
});

export const readNews = endpoint({
  method: 'POST',
  path: '/api/news/{newsId}/read',
  summary: 'Marks a news item as read by the user',
  access: 'user',
  params: z.object({ newsId: IdText }),
  errors: ['unauthorized', 'invalid_request', 'not_found'],
});

export const findMedia = endpoint({
  method: 'GET',
  path: '/api/media-storage/media/{mediaId}',
  summary: 'The image or file of a news item or banner that is shown now',
  access: 'user',
  params: z.object({ mediaId: IdText }),
  response: z.object({
    /** Base64. */
    data: z.string(),
    /** As SHOWN_FORMATS, or another. */
    format: z.string(),
    name: z.string(),
  }),
  errors: ['unauthorized', 'invalid_request', 'not_found'],
});
