import * as z from 'zod/mini';
import { CauseList } from './attention.ts';
import { endpoint, type ResponseOf } from './endpoint.ts';
import { MergeRequest } from './merges.ts';
import { NewsItem } from './news.ts';
import { Id, Moment } from './primitives.ts';
import { Report } from './reports.ts';

/** Interval of the poll while something is pending, else, ms (spec section 9). */
export const PENDING_POLL_MS = 2000;
export const CALM_POLL_MS = 30_000;

/** Most items of a part; the totals are of all. */
export const MAX_PANEL_ITEMS = 20;

export const findNotifications = endpoint({
  method: 'GET',
  path: '/api/notifications',
  summary: 'What needs attention, merges, reports and news: one poll for all of it',
  access: 'user',
  // Here and not as a value of its own: built screens leave it out, with the schemas of reports and causes.
  response: z.object({
    made_at: Moment,
    /** Unseen causes, merged videos to download, unread news. */
    unread: z.int(),
    /** A merge or a report is in progress. */
    pending: z.boolean(),
    attention: CauseList,
    merges: z.object({
      items: z.array(MergeRequest),
      total: z.int(),
      /** How many days a merged file is kept. */
      keep_days: z.int(),
    }),
    /** In progress, and the latest of the others. */
    reports: z.object({ items: z.array(Report), in_progress: z.int(), total: z.int() }),
    news: z.object({ items: z.array(NewsItem), unread: z.int(), total: z.int() }),
    /** Whether there are questions with answers. */
    has_faq: z.boolean(),
  }),
  errors: ['unauthorized'],
});

/** The facts that the notification panel shows, and that the bell and the menu need of it. */
export type Notifications = ResponseOf<typeof findNotifications>;

export const readNotifications = endpoint({
  method: 'POST',
  path: '/api/notifications/read',
  summary: 'Marks what a panel showed as seen: causes opened by then, and news',
  access: 'user',
  body: z.object({
    /** `made_at` of the shown answer. */
    made_at: Moment,
    news: z.union([z.literal('all'), z.array(Id).check(z.maxLength(MAX_PANEL_ITEMS))]),
  }),
  errors: ['unauthorized', 'invalid_request'],
});
