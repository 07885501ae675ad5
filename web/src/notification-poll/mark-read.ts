import { type Notifications, readNotifications } from '@ridewatch/contract/notifications';
import { call } from '../calls/request.ts';
import { currentSession } from '../core/session.ts';
import { changeNotifications } from './use-notifications.ts';

/**
 * Marks what a panel showed as seen, unless an administrator saw it in a view. After a failure the next panel marks it again.
 * @param shown the answer that was shown
 * @param isAll also news that the panel has no room for
 */
export function markRead(shown: Notifications, isAll = false): void {
  const news = shown.news.items.filter(({ read }) => !read).map(({ id }) => id);
  const hasNews = isAll ? shown.news.unread > 0 : news.length > 0;
  if ((shown.attention.unseen === 0 && !hasNews) || currentSession()?.user.viewed_by) return;
  const body = { made_at: shown.made_at, news: isAll ? ('all' as const) : news };
  changeNotifications((before) => {
    const stillUnread = isAll ? 0 : Math.max(0, before.news.unread - news.length);
    return {
      ...before,
      unread: before.unread - before.attention.unseen - (before.news.unread - stillUnread),
      attention: {
        ...before.attention,
        unseen: 0,
        items: before.attention.items.map((cause) => ({ ...cause, seen: true })),
      },
      news: {
        ...before.news,
        unread: stillUnread,
        items: before.news.items.map((item) => ({ ...item, read: true })),
      },
    };
  });
  void call(readNotifications, { body }).catch(() => undefined);
}
