import { MAX_NEWS, type NewsItem, searchNews } from '@ridewatch/contract/news';
import { useEndpoint } from '../../calls/api.ts';
import { LinkedText } from '../../news/linked-text.tsx';
import { NewsMedia } from '../../news/news-media.tsx';
import { useNewsText } from '../../news/use-news-text.ts';
import { useAddress } from '../../page/use-address.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { useTitle } from '../../ui/use-title.ts';
import type { FaqAddress } from './address.ts';
import styles from './news.module.css';
import { NotLoaded } from './not-loaded.tsx';

/** The frequent questions as an accordion. The address names the open ones, so that a link leads to an answer. */
export function FaqScreen() {
  const text = useNewsText();
  useTitle(text.faq);
  const { search, note } = useAddress<FaqAddress>();
  const open = new Set(search.open?.split(',').map(Number));
  const answer = useEndpoint(searchNews, { query: { type: 'FAQ', perPage: String(MAX_NEWS) } });
  const { data } = answer;
  const toggle = (id: number, isOpen: boolean): void => {
    const others = [...open].filter((one) => one !== id);
    const next = isOpen ? [...others, id] : others;
    if (open.has(id) !== isOpen) note({ open: next.length > 0 ? next.join(',') : undefined });
  };
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <h1 className="phone-hidden">{text.faq}</h1>
      </header>
      <NotLoaded answer={answer} failed={text.faqFailed} />
      {data?.total === 0 && <EmptyState title={text.noQuestions} text={text.noQuestionsText} />}
      {data && data.items.length > 0 && (
        <div className={styles.accordion}>
          {data.items.map((item) => (
            <Question key={item.id} item={item} isOpen={open.has(item.id)} onToggle={toggle} />
          ))}
        </div>
      )}
    </div>
  );
}

interface QuestionProps {
  item: NewsItem;
  isOpen: boolean;
  onToggle: (id: number, isOpen: boolean) => void;
}

function Question({ item, isOpen, onToggle }: QuestionProps) {
  return (
    <details
      className={styles.question}
      open={isOpen}
      onToggle={({ currentTarget }) => onToggle(item.id, currentTarget.open)}
    >
      <summary>{item.title}</summary>
      {isOpen && (
        <>
          <LinkedText text={item.text} />
          {item.mediaId !== null && <NewsMedia id={item.mediaId} title={item.title} />}
        </>
      )}
    </details>
  );
}
