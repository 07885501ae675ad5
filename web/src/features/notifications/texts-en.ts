import { enForm } from '../../i18n/plural.ts';
import type { NotificationTexts } from './texts-ru.ts';

export const en: NotificationTexts = {
  readAll: 'Mark all as read',
  attention: 'Attention',
  merges: 'Merged videos',
  mergesKept: (days) => `kept for ${days} ${enForm(days, 'day', 'days')}`,
  reports: 'Reports',
  news: 'News',
  unread: (count) => `unread: ${count}`,
  unreadMark: 'unread',
  all: 'all',
  allCauses: 'all that needs attention',
  allReports: 'all reports',
  allNews: 'all news',
  more: (count) => `and ${count} more`,
  none: 'No news for today.',
};
