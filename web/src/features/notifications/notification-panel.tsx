import { formatMoment } from '@ridewatch/contract/day';
import type { NewsItem } from '@ridewatch/contract/news';
import type { Notifications } from '@ridewatch/contract/notifications';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';
import { CauseItem } from '../../attention/cause-item.tsx';
import { useText } from '../../i18n/language.ts';
import { markRead } from '../../notification-poll/mark-read.ts';
import { useNotifications } from '../../notification-poll/use-notifications.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { CloseIcon, drawn, ForwardIcon } from '../../ui/icons.tsx';
import { MergeItem } from '../merges/merge-item.tsx';
import { ReportItem } from '../reports/report-item.tsx';
import styles from './notification-panel.module.css';
import { useNotificationText } from './use-notification-text.ts';

/** Moments in lists across buses are Moscow times. */
const LIST_ZONE = 'Europe/Moscow';

const WarningIcon = drawn('M12 4L2.5 20h19zM12 10v4M12 17h.01');
const FilmIcon = drawn('M4 5h16v14H4zM8 5v14M16 5v14M4 12h4M16 12h4');
const ReportIcon = drawn('M6 3h8l4 4v14H6zM14 3v4h4M9 12h6M9 16h6');
const NewsIcon = drawn('M4 5h13v14H6q-2 0-2-2zM17 9h3v8q0 2-2 2M7 9h7M7 13h7M7 16h4');

interface PanelProps {
  /** Closes the panel. */
  onLeave: () => void;
}

/**
 * The notifications: what needs attention, merged videos, reports, news. What it showed is marked as read when it
 * closes.
 */
export function NotificationPanel({ onLeave }: PanelProps) {
  const { common } = useText();
  const text = useNotificationText();
  const answer = useNotifications();
  const { data, isPending, isError } = answer;
  const shown = useRef<Notifications | undefined>(undefined);
  useEffect(() => {
    shown.current = data;
  }, [data]);
  useEffect(
    () => () => {
      if (shown.current) markRead(shown.current);
    },
    [],
  );
  return (
    <div className={styles.panel}>
      <div className={styles.head}>
        <h2>{common.notifications}</h2>
        {data && hasUnread(data) && (
          <Button kind="quiet" onClick={() => markRead(data, true)}>
            {text.readAll}
          </Button>
        )}
        <IconButton label={common.close} onClick={onLeave}>
          <CloseIcon />
        </IconButton>
      </div>
      {isPending && <p className={styles.none}>{common.loading}</p>}
      {isError && !data && (
        <p role="alert" className={styles.none}>
          {common.loadFailed} <Button onClick={() => void answer.refetch()}>{common.retry}</Button>
        </p>
      )}
      {data && <Parts data={data} onLeave={onLeave} />}
    </div>
  );
}

function Parts({ data, onLeave }: { data: Notifications; onLeave: () => void }) {
  const text = useNotificationText();
  const { shell } = useText();
  const { attention, merges, reports, news } = data;
  const isEmpty =
    attention.total + merges.items.length + reports.items.length + news.items.length === 0;
  return (
    <>
      {attention.total > 0 && (
        <Part
          title={text.attention}
          icon={<WarningIcon />}
          note={String(attention.total)}
          aside={
            <Link to="/" aria-label={text.allCauses} onClick={onLeave}>
              {text.all}
            </Link>
          }
        >
          {attention.items.map((cause) => (
            <CauseItem key={cause.id} cause={cause} onLeave={onLeave} />
          ))}
          <More count={attention.total - attention.items.length} />
        </Part>
      )}
      {merges.items.length > 0 && (
        <Part
          title={text.merges}
          icon={<FilmIcon />}
          note={String(merges.total)}
          aside={text.mergesKept(merges.keep_days)}
        >
          {merges.items.map((merge) => (
            <MergeItem key={merge.id} merge={merge} />
          ))}
          <More count={merges.total - merges.items.length} />
        </Part>
      )}
      {reports.items.length > 0 && (
        <Part
          title={text.reports}
          icon={<ReportIcon />}
          aside={
            <Link to="/reports" aria-label={text.allReports} onClick={onLeave}>
              {text.all}
            </Link>
          }
        >
          {reports.items.map((report) => (
            <ReportItem key={report.id} report={report} />
          ))}
        </Part>
      )}
      {news.items.length > 0 && (
        <Part
          title={text.news}
          icon={<NewsIcon />}
          note={news.unread > 0 ? text.unread(news.unread) : ''}
          aside={
            <Link to="/news" aria-label={text.allNews} onClick={onLeave}>
              {text.all}
            </Link>
          }
        >
          {news.items.map((item) => (
            <News key={item.id} item={item} onLeave={onLeave} />
          ))}
          <MoreNews news={news} onLeave={onLeave} />
        </Part>
      )}
      {isEmpty && <p className={styles.none}>{text.none}</p>}
      <Link to="/reports" className={styles.leading} onClick={onLeave}>
        {shell.reports}
        <ForwardIcon />
      </Link>
    </>
  );
}

interface PartProps {
  title: string;
  icon: ReactNode;
  note?: string;
  aside?: ReactNode;
  children: ReactNode;
}

function Part({ title, icon, note, aside, children }: PartProps) {
  return (
    <section aria-label={title}>
      <h3 className={styles.heading}>
        {icon}
        {title} <small>{note}</small>
        <span className={styles.aside}>{aside}</span>
      </h3>
      <ul className={styles.list}>{children}</ul>
    </section>
  );
}

function More({ count }: { count: number }) {
  const text = useNotificationText();
  return count > 0 ? <li className={styles.more}>{text.more(count)}</li> : null;
}

/** The way to the rest of the news; unread news among them keep the bell filled. */
function MoreNews({ news, onLeave }: { news: Notifications['news']; onLeave: () => void }) {
  const text = useNotificationText();
  const rest = news.total - news.items.length;
  const unread = news.unread - news.items.filter(({ read }) => !read).length;
  if (rest <= 0) return null;
  return (
    <li className={styles.more}>
      <Link to="/news" onClick={onLeave}>
        {text.more(rest)}
        {unread > 0 && ` · ${text.unread(unread)}`}
      </Link>
    </li>
  );
}

function News({ item, onLeave }: { item: NewsItem; onLeave: () => void }) {
  const text = useNotificationText();
  return (
    <li>
      <Link
        to="/news"
        className={styles.news}
        data-unread={!item.read || undefined}
        onClick={onLeave}
      >
        <span className={styles.dot}>{!item.read && <i title={text.unreadMark} />}</span>
        <span>
          <strong>{item.title}</strong>
          {!item.read && <span className="visually-hidden"> {text.unreadMark}</span>}
          <span className={styles.text}>{item.text}</span>
        </span>
        <time dateTime={item.dateFrom}>
          {formatMoment(Date.parse(item.dateFrom), LIST_ZONE, 'DD.MM')}
        </time>
      </Link>
    </li>
  );
}

function hasUnread({ attention, news }: Notifications): boolean {
  return attention.unseen > 0 || news.unread > 0;
}
