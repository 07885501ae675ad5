import { type AdminNews, listNewsReaders } from '@ridewatch/contract/admin-news';
import { PAGE_SIZE } from '@ridewatch/contract/paging';
import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { useEndpoint } from '../../calls/api.ts';
import { FailedRead } from '../../page/failed-read.tsx';
import { Pager } from '../../ui/pager.tsx';
import { DrawerPart } from './drawer-part.tsx';
import styles from './happenings.module.css';
import { isGone } from './is-gone.ts';
import { momentText } from './moments.ts';
import { useNewsText } from './use-news-text.ts';

/** Lists who has read a news item, the last reader first. */
export function NewsReaders({ row }: { row: AdminNews }) {
  const text = useNewsText();
  const [page, setPage] = useState(0);
  const answer = useEndpoint(
    listNewsReaders,
    { params: { newsId: row.id }, query: { page: page } },
    // The drawer tells of an item that is gone.
    { placeholderData: keepPreviousData, isQuiet: isGone },
  );
  const { data } = answer;
  return (
    <DrawerPart title={text.readers}>
      <FailedRead answer={answer} what={text.readers} />
      {data?.total === 0 && <p>{text.noReaders}</p>}
      <ol className={styles.list}>
        {data?.items.map(({ id, login, client, read_at }) => (
          <li key={id}>
            <time dateTime={read_at}>{momentText(read_at)}</time>
            <span>
              {login}
              {client && ` · ${client.name}`}
            </span>
          </li>
        ))}
      </ol>
      <Pager
        label={text.readers}
        page={page}
        pages={Math.ceil((data?.total ?? 0) / PAGE_SIZE)}
        newer={text.laterReaders}
        older={text.earlierReaders}
        onPage={setPage}
      >
        {page + 1}
      </Pager>
    </DrawerPart>
  );
}
