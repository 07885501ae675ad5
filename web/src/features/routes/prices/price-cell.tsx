import { memo } from 'react';
import { useRouteText } from '../use-route-text.ts';
import type { PriceBook } from './price-book.ts';
import styles from './price-cell.module.css';
import { conflictText } from './price-conflicts.tsx';
import { PriceField } from './price-field.tsx';
import { showPrice } from './price-text.ts';
import { usePriceCell } from './use-price-book.ts';

interface PriceCellProps {
  book: PriceBook;
  from: { id: number; name: string };
  to: { id: number; name: string };
  row: number;
  column: number;
  left: number;
  width: number;
  isActive: boolean;
  isSelected: boolean;
  /** No lap contains this ride: it is against the order of the stops. */
  isAgainst: boolean;
  /** The ride does not exist: the route has one direction. */
  isNowhere: boolean;
  isOpen: boolean;
}

/** A cell of the price table. Only the active one is an input, so that thousands of cells render fast. */
export const PriceCell = memo(function PriceCell(props: PriceCellProps) {
  const { book, from, to, row, column, left, isActive, isSelected, isAgainst, isOpen } = props;
  const text = useRouteText();
  const cell = usePriceCell(book, from.id, to.id);
  // An existing price can be removed even if the ride does not exist.
  const isNone = from.id === to.id || (props.isNowhere && cell.cost === null);
  const place = `${row}:${column}`;
  const noneText = (isSame: boolean) => (isSame ? text.sameStop : text.oneWay);
  return (
    <td
      aria-colindex={column + 2}
      className={styles.cell}
      style={{ left, width: props.width }}
      data-state={cell.state}
      data-selected={isSelected || undefined}
      data-against={isAgainst || undefined}
      data-same={isNone || undefined}
    >
      {isActive && !isNone ? (
        <PriceField book={book} cell={cell} from={from} to={to} place={place} isOpen={isOpen} />
      ) : (
        <span
          className={styles.text}
          data-cell={place}
          tabIndex={isActive ? 0 : undefined}
          title={isNone ? noneText(from.id === to.id) : (conflictText(cell, text) ?? cell.reason)}
        >
          {isNone ? '—' : (cell.typed ?? showPrice(cell.cost))}
        </span>
      )}
    </td>
  );
});
