import type { NotificationTexts } from './texts-ru.ts';

export const en: NotificationTexts = {
  readAll: 'Mark all as read',
  attention: 'Attention',
  merges: 'Merged videos',
  mergesKept: 'kept for some days',
  reports: 'Reports',
  news: 'News',
  unread: (count) => `unread: ${count}`,
  unreadMark: 'unread',
  all: 'all',
  more: (count) => `and ${count} more`,
  none: 'No news for today.',
};
