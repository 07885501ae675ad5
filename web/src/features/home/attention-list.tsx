import type { AttentionGroup, Home } from '@ridewatch/contract/home';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { CauseItem } from '../../attention/cause-item.tsx';
import { formatNumber } from '../../i18n/format.ts';
import { dateTimeText } from '../../i18n/moment-text.ts';
import { Button } from '../../ui/button.tsx';
import { drawn, ForwardIcon } from '../../ui/icons.tsx';
import styles from './attention-list.module.css';
import type { CustomerSearch } from './customer-search.ts';
import type { HomeTexts } from './texts-ru.ts';

const GROUPS = ['faulty', 'money', 'line'] as const;
/** Rows on a phone before the user asks for all. */
const FEW = 6;

const unbroken = (text: string): string => text.replaceAll(' ', '\u00a0');

const WarningIcon = drawn('M12 4L2.5 20h19zM12 10v4M12 17h.01');
const BellIcon = drawn('M6 16V10a6 6 0 0 1 12 0v6l2 2H4zM10 21h4');
const ReviewIcon = drawn('M4 6h11M4 12h7M4 18h6M13 17l3 3 5-7');

interface AttentionListProps {
  attention: Home['attention'];
  ofCustomer: CustomerSearch;
  /** The fragments that wait for review; undefined for users who may not review. */
  review: Home['review'] | undefined;
  /** There is a list of buses to lead to. */
  hasBuses: boolean;
  isPhone: boolean;
  text: HomeTexts;
}

/** Lists what needs attention first, in three groups. On a phone the first rows, and all when asked. */
export function AttentionList({
  attention,
  ofCustomer,
  review,
  hasBuses,
  isPhone,
  text,
}: AttentionListProps) {
  const [isWhole, setWhole] = useState(!isPhone);
  const waiting = review !== undefined && review.waiting > 0 ? review : undefined;
  const more = (key: keyof Home['attention']) => (key === 'money' && waiting ? 1 : 0);
  const totalOf = (key: keyof Home['attention']) => attention[key].total + more(key);
  const total = GROUPS.reduce((sum, key) => sum + totalOf(key), 0);
  let room = isWhole ? Number.POSITIVE_INFINITY : FEW;
  const take = (group: AttentionGroup, others: number) => {
    const items = group.items.slice(0, Math.max(0, room));
    room -= items.length + others;
    return items;
  };
  return (
    <section className={styles.card} aria-label={text.attention}>
      <header className={styles.head}>
        <WarningIcon />
        <h2>{text.attention}</h2>
        {total > 0 && <span className={styles.total}>{formatNumber(total)}</span>}
        <span className={styles.aside}>
          {isPhone && !isWhole && total > FEW && (
            <Button kind="quiet" onClick={() => setWhole(true)}>
              {text.showAll}
            </Button>
          )}
          {!isPhone && hasBuses && total > 0 && (
            <Link to="/buses" search={{ show: 'attention', ...ofCustomer }}>
              {text.toList}
            </Link>
          )}
          {review !== undefined && (
            <Link to="/alerts" aria-label={text.toSettings} title={text.toSettings}>
              <BellIcon />
            </Link>
          )}
        </span>
      </header>
      {total === 0 && <p className={styles.calm}>{text.calm}</p>}
      {GROUPS.filter((key) => totalOf(key) > 0).map((key) => {
        const group = attention[key];
        const hasRoom = room > 0;
        const items = take(group, more(key));
        const hidden = group.total - group.items.length;
        return (
          hasRoom && (
            <Group key={key} title={text.groups[key]} total={totalOf(key)}>
              {items.map((row) => (
                <CauseItem
                  key={JSON.stringify([row.details, row.workplace?.id])}
                  cause={row}
                  hasTimeAside
                />
              ))}
              {more(key) > 0 && waiting && (
                <Waiting review={waiting} ofCustomer={ofCustomer} text={text} />
              )}
              {isWhole && hidden > 0 && (
                <li className={styles.more}>
                  <Link to="/buses" search={{ show: 'attention', ...ofCustomer }}>
                    {text.more(hidden)}
                  </Link>
                </li>
              )}
            </Group>
          )
        );
      })}
    </section>
  );
}

function Group({ title, total, children }: { title: string; total: number; children: ReactNode }) {
  return (
    <>
      <h3 className={styles.heading}>
        {title} <span>{formatNumber(total)}</span>
      </h3>
      <ul className={styles.list}>{children}</ul>
    </>
  );
}

interface WaitingProps {
  review: Home['review'];
  ofCustomer: CustomerSearch;
  text: HomeTexts;
}

function Waiting({ review, ofCustomer, text }: WaitingProps) {
  return (
    <li>
      <Link to="/review" search={ofCustomer} className={styles.waiting}>
        <ReviewIcon />
        <span>
          <strong>{text.fragments(review.waiting)}</strong>
          <small>
            {text.wait}
            {review.oldest !== null &&
              `, ${text.oldest(unbroken(dateTimeText(Date.parse(review.oldest))))}`}
          </small>
        </span>
        <ForwardIcon />
      </Link>
    </li>
  );
}
