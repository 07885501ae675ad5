import type { RouteTexts } from '../texts-ru.ts';
import { useRouteText } from '../use-route-text.ts';
import type { PriceBook, PriceCell } from './price-book.ts';
import { readPrice, showPrice } from './price-text.ts';
import styles from './prices-part.module.css';
import { useBookState } from './use-price-book.ts';

/** What happened to a price that another user was faster with; undefined for any other. */
export function conflictText(
  { state, cost, own }: PriceCell,
  text: RouteTexts,
): string | undefined {
  if (state !== 'taken') return undefined;
  const shown = (price: string | null) => showPrice(price) || text.noPrice;
  return text.takenPrice(shown(cost), shown(readPrice(own ?? '') ?? null));
}

/** Says that another user set prices meanwhile, and offers one's own again. */
export function PriceConflicts({ book }: { book: PriceBook }) {
  const text = useRouteText();
  const { taken } = useBookState(book);
  if (taken === 0) return null;
  const only = taken === 1 ? book.firstTaken() : undefined;
  return (
    <div role="alert" className={styles.taken}>
      <span>{(only && conflictText(only, text)) ?? text.takenPrices(taken)}</span>
      <button type="button" className={styles.retry} onClick={() => book.settleTaken('own')}>
        {text.writeOwn}
      </button>
      <button type="button" className={styles.retry} onClick={() => book.settleTaken('theirs')}>
        {text.leaveTheirs}
      </button>
    </div>
  );
}
