import { formatMoment } from '@ridewatch/contract/day';
import { type NewsItem, readNews, searchNews } from '@ridewatch/contract/news';
import { keepPreviousData } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useEndpoint } from '../../api.ts';
import { FailedRead } from '../../bus-page/failed-read.tsx';
import { useAddress } from '../../bus-page/use-address.ts';
import {
  refreshNotifications,
  useNotifications,
} from '../../notification-poll/use-notifications.ts';
import { pageKey, pageOf } from '../../paging/page-key.ts';
import { Pager } from '../../paging/pager.tsx';
import { call } from '../../request.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { useTitle } from '../../ui/use-title.ts';
import type { NewsAddress } from './address.ts';
import { LinkedText } from './linked-text.tsx';
import styles from './news.module.css';
import { NewsMedia } from './news-media.tsx';
import { useNewsText } from './use-news-text.ts';

/** News on a page (spec section 9). */
const PAGE = 10;
/** Moments in lists across buses are Moscow times. */
const LIST_ZONE = 'Europe/Moscow';

/** The news, a page at a time. Those that it showed are read when the user leaves the page. */
export function NewsScreen() {
  const text = useNewsText();
  useTitle(text.news);
  const { search, go } = useAddress<NewsAddress>();
  const page = pageOf(search.page);
  const answer = useEndpoint(
    searchNews,
    { query: { page: String(page), perPage: String(PAGE) } },
    { placeholderData: keepPreviousData },
  );
  const { data } = answer;
  useReadOnLeave(answer.isPlaceholderData ? undefined : data?.items);
  const hasFaq = useNotifications(false).data?.has_faq;
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <h1>{text.news}</h1>
        {hasFaq && <Link to="/faq">{text.faq}</Link>}
      </header>
      <FailedRead answer={answer} what={text.newsFailed} />
      {data === undefined && answer.isPending && (
        <div className={styles.waiting} aria-busy="true">
          {text.loading}
        </div>
      )}
      {data?.total === 0 && <EmptyState title={text.none} text={text.noneText} />}
      {data?.items.map((item) => (
        <Article key={item.id} item={item} />
      ))}
      {data && (
        <Pager
          label={text.news}
          page={page}
          pages={Math.ceil(data.total / PAGE)}
          newer={text.newer}
          older={text.older}
          onPage={(next) => go({ page: pageKey(next) })}
        >
          {text.page(page * PAGE + 1, page * PAGE + data.items.length, data.total)}
        </Pager>
      )}
    </div>
  );
}

function Article({ item }: { item: NewsItem }) {
  const text = useNewsText();
  return (
    <article className={styles.item} data-unread={!item.read || undefined}>
      <h2>
        {!item.read && <i role="img" aria-label={text.unread} title={text.unread} />}
        {item.title}
      </h2>
      <time dateTime={item.dateFrom}>
        {formatMoment(Date.parse(item.dateFrom), LIST_ZONE, 'DD.MM.YYYY')}
      </time>
      <LinkedText text={item.text} />
      {item.mediaId !== null && <NewsMedia id={item.mediaId} title={item.title} />}
    </article>
  );
}

// A failure is silent: the next visit marks them again.
function useReadOnLeave(items: readonly NewsItem[] | undefined): void {
  useEffect(
    () => () => {
      const unread = items?.filter(({ read }) => !read) ?? [];
      if (unread.length === 0) return;
      const reads = unread.map(({ id }) =>
        call(readNews, { params: { newsId: id }, isQuiet: () => true }).catch(() => undefined),
      );
      void Promise.all(reads).then(refreshNotifications);
    },
    [items],
  );
}
