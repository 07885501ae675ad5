import { ConflictChoice } from '../../../edits/conflict-choice.tsx';
import type { RouteTexts } from '../texts-ru.ts';
import { useRouteText } from '../use-route-text.ts';
import type { PriceBook, PriceCell } from './price-book.ts';
import { readPrice, showPrice } from './price-text.ts';
import { useBookState } from './use-price-book.ts';

/** Explains the conflict of a price; undefined if it has none. */
export function conflictText(
  { state, cost, own }: PriceCell,
  text: RouteTexts,
): string | undefined {
  if (state !== 'conflict') return undefined;
  const shown = (price: string | null) => showPrice(price) || text.noPrice;
  return text.conflictPrice(shown(cost), shown(readPrice(own ?? '') ?? null));
}

/** Says that another user set prices meanwhile, and offers to overwrite them. */
export function PriceConflicts({ book }: { book: PriceBook }) {
  const text = useRouteText();
  const { conflicts } = useBookState(book);
  if (conflicts === 0) return null;
  const only = conflicts === 1 ? book.firstConflict() : undefined;
  return (
    <ConflictChoice
      writeOwn={text.writeOwn}
      leaveTheirs={text.leaveTheirs}
      onSettle={book.settleConflicts}
    >
      {(only && conflictText(only, text)) ?? text.conflictPrices(conflicts)}
    </ConflictChoice>
  );
}
