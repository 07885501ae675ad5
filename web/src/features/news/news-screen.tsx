import { type NewsItem, readNews, searchNews } from '@ridewatch/contract/news';
import { keepPreviousData } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useEndpoint } from '../../calls/api.ts';
import { call } from '../../calls/request.ts';
import type { ApiError } from '../../core/api-error.ts';
import { currentSession } from '../../core/session.ts';
import { Article } from '../../news/article.tsx';
import { useNewsText } from '../../news/use-news-text.ts';
import { refreshNotifications, useMenuFacts } from '../../notification-poll/use-notifications.ts';
import { useAddress } from '../../page/use-address.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { pageKey, pageOf } from '../../ui/page-key.ts';
import { Pager } from '../../ui/pager.tsx';
import { useTitle } from '../../ui/use-title.ts';
import type { NewsAddress } from './address.ts';
import styles from './news.module.css';
import { NotLoaded } from './not-loaded.tsx';

/** News on a page (spec section 9). */
const PAGE = 10;

/** The news, a page at a time. Those that it showed are read when the user leaves the page. */
export function NewsScreen() {
  const text = useNewsText();
  useTitle(text.news);
  const { search, go, note } = useAddress<NewsAddress>();
  const page = pageOf(search.page);
  const answer = useEndpoint(
    searchNews,
    { query: { page: String(page), perPage: String(PAGE) } },
    { placeholderData: keepPreviousData },
  );
  const { data } = answer;
  const pages = Math.ceil((data?.total ?? 0) / PAGE);
  const isBeyond = !answer.isPlaceholderData && pages > 0 && page >= pages;
  useEffect(() => {
    // News that are shown no longer leave an old link beyond the last page.
    if (isBeyond) note({ page: pageKey(pages - 1) });
  });
  useReadOnLeave(answer.isPlaceholderData ? undefined : data?.items);
  const hasFaq = useMenuFacts()?.has_faq;
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <h1 className="phone-hidden">{text.news}</h1>
        {hasFaq && <Link to="/faq">{text.faq}</Link>}
      </header>
      <NotLoaded answer={answer} failed={text.newsFailed} />
      {data?.total === 0 && <EmptyState title={text.none} text={text.noneText} />}
      {data?.items.map((item) => (
        <Article key={item.id} item={item} />
      ))}
      {data && !isBeyond && (
        <Pager
          label={text.news}
          page={page}
          pages={pages}
          newer={text.newer}
          older={text.older}
          onPage={(next) => {
            go({ page: pageKey(next) });
            window.scrollTo({ top: 0 });
          }}
        >
          {text.page(page * PAGE + 1, page * PAGE + data.items.length, data.total)}
        </Pager>
      )}
    </div>
  );
}

/** Whether the item was deleted meanwhile. */
const isGone = ({ status }: ApiError): boolean => status === 404;

// The next visit marks them again after a failure.
function useReadOnLeave(items: readonly NewsItem[] | undefined): void {
  useEffect(() => {
    let unread = items?.filter(({ read }) => !read) ?? [];
    const mark = () => {
      // In a view an administrator has seen them, not the user.
      if (currentSession()?.user.viewed_by) return;
      const reads = unread.map(({ id }) =>
        call(readNews, { params: { newsId: id }, isQuiet: isGone }).catch(() => undefined),
      );
      unread = [];
      if (reads.length > 0) void Promise.all(reads).then(refreshNotifications);
    };
    // Also when the tab is closed or loaded again.
    window.addEventListener('pagehide', mark);
    return () => {
      window.removeEventListener('pagehide', mark);
      mark();
    };
  }, [items]);
}
