import type { Cause } from '@ridewatch/contract/attention';
import type { MergeRequest } from '@ridewatch/contract/merges';
import type { NewsItem } from '@ridewatch/contract/news';
import type { Notifications } from '@ridewatch/contract/notifications';
import type { Report } from '@ridewatch/contract/reports';
import { NOW } from './browser.ts';
import { at } from './made.ts';

/** A silent bus. */
export const cause = (id: number, more: Partial<Cause> = {}): Cause => ({
  id,
  details: { kind: 'silent_bus', drove: true, place: null },
  since: at('14:00'),
  opened_at: at('14:10'),
  workplace: { id: 7, name: 'А 7 АА', route: '156', timezone: 'Europe/Moscow' },
  camera: null,
  seen: false,
  ...more,
});

/** Unread news. */
export const newsItem = (id: number, more: Partial<NewsItem> = {}): NewsItem => ({
  id,
  type: 'NEWS',
  title: `News ${id}`,
  text: 'Text',
  active: true,
  createdAt: at('09:00'),
  dateFrom: at('09:00'),
  mediaId: null,
  read: false,
  ...more,
});

/** Makes what the notification panel shows; nothing by default. */
export function notifications(
  parts: {
    causes?: Cause[];
    merges?: MergeRequest[];
    reports?: Report[];
    news?: NewsItem[];
    hasFaq?: boolean;
  } = {},
): Notifications {
  const { causes = [], merges = [], reports = [], news = [], hasFaq = false } = parts;
  const unseen = causes.filter(({ seen }) => !seen).length;
  const unread = news.filter(({ read }) => !read).length;
  const isOpen = ({ status }: { status: string }) => status === 'PROCESS';
  return {
    made_at: NOW,
    unread: unseen + unread + merges.filter(({ status }) => status === 'COMPLETE').length,
    pending: merges.some(isOpen) || reports.some(isOpen),
    attention: { items: causes, number: 0, total: causes.length, unseen },
    merges: { items: merges, total: merges.length, keep_days: 7 },
    reports: {
      items: reports,
      in_progress: reports.filter(isOpen).length,
      total: reports.length,
    },
    news: { items: news, unread, total: news.length },
    has_faq: hasFaq,
  };
}
