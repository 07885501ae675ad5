import { FALLBACK_ZONE, formatMoment } from '@ridewatch/contract/day';
import type { NewsItem } from '@ridewatch/contract/news';
import styles from './article.module.css';
import { LinkedText } from './linked-text.tsx';
import { NewsMedia } from './news-media.tsx';
import { useNewsText } from './use-news-text.ts';

interface ArticleProps {
  item: Pick<NewsItem, 'title' | 'text' | 'dateFrom' | 'mediaId' | 'read'>;
}

/** A news item as its readers see it. */
export function Article({ item }: ArticleProps) {
  const text = useNewsText();
  return (
    <article className={styles.item} data-unread={!item.read || undefined}>
      <h2>
        {!item.read && <i role="img" aria-label={text.unread} title={text.unread} />}
        {item.title}
      </h2>
      <time dateTime={item.dateFrom}>
        {formatMoment(Date.parse(item.dateFrom), FALLBACK_ZONE, 'DD.MM.YYYY')}
      </time>
      <LinkedText text={item.text} />
      {item.mediaId !== null && <NewsMedia id={item.mediaId} title={item.title} />}
    </article>
  );
}
