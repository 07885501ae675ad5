import { memo } from 'react';
import type { PriceBook } from './price-book.ts';
import styles from './price-cell.module.css';
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
  isActive: boolean;
  isSelected: boolean;
  /** No ride of a lap goes this way: it is driven against the order of the stops. */
  isAgainst: boolean;
  isOpen: boolean;
}

/** One price. Only the active one is a field: the others are texts, so that thousands of them stay light. */
export const PriceCell = memo(function PriceCell(props: PriceCellProps) {
  const { book, from, to, row, column, left, isActive, isSelected, isAgainst, isOpen } = props;
  const cell = usePriceCell(book, from.id, to.id);
  const isSame = from.id === to.id;
  const place = `${row}:${column}`;
  return (
    <td
      aria-colindex={column + 2}
      className={styles.cell}
      style={{ left }}
      data-state={cell.state}
      data-selected={isSelected || undefined}
      data-against={isAgainst || undefined}
      data-same={isSame || undefined}
    >
      {isActive && !isSame ? (
        <PriceField book={book} cell={cell} from={from} to={to} place={place} isOpen={isOpen} />
      ) : (
        <span
          className={styles.text}
          data-cell={place}
          tabIndex={isActive ? 0 : undefined}
          title={cell.reason}
        >
          {isSame ? '—' : (cell.typed ?? showPrice(cell.cost))}
        </span>
      )}
    </td>
  );
});
