import { formatMoney, formatNumber } from '../../i18n/format.ts';
import { type FactsOf, sumsOf } from './arrangement.ts';
import styles from './bus-parts.module.css';
import { Hours } from './bus-parts.tsx';
import { busesIn, type Row } from './rows.ts';
import type { ListTexts } from './texts-ru.ts';

interface HeadingSumsProps {
  row: Row;
  factsOf: FactsOf;
  own: ListTexts;
}

/** The sums of the buses of a customer or route, in the columns of the board. */
export function HeadingSums({ row, factsOf, own }: HeadingSumsProps) {
  const sums = sumsOf(busesIn(row), factsOf);
  const { entered, kopecks, hours, inside, places, seated, states, isKnown } = sums;
  if (!isKnown) return null;
  if (row.kind === 'customer') {
    return (
      <small>
        {own.entered(entered)} · {own.revenue(formatMoney(kopecks / 100))}
      </small>
    );
  }
  const share = places > 0 ? `${Math.round((100 * seated) / places)} %` : '';
  return (
    <>
      <b className={styles.number}>{formatNumber(entered)}</b>
      <Hours hours={hours} isSum />
      <span className={styles.inside}>
        <b>{formatNumber(inside)}</b>
        <small>{share}</small>
      </span>
      <span className={styles.lap}>
        <small>
          {own.onLine(states.moving + states.standing)} · {formatMoney(kopecks / 100)}
        </small>
      </span>
    </>
  );
}
