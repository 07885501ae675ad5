import { type KeyboardEvent, memo, useEffect, useEffectEvent, useRef, useState } from 'react';
import { useRouteText } from '../use-route-text.ts';
import type { PriceBook } from './price-book.ts';
import styles from './price-cell.module.css';
import { editPrice, showPrice } from './price-text.ts';
import { usePriceCell } from './use-price-book.ts';

interface PriceCellFieldProps {
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

/** One price: a field that is ready to be typed over, as a spreadsheet's cell is. */
export const PriceCellField = memo(function PriceCellField(props: PriceCellFieldProps) {
  const { book, from, to, row, column, left, isActive, isSelected, isAgainst, isOpen } = props;
  const text = useRouteText();
  const cell = usePriceCell(book, from.id, to.id);
  const field = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState<string | null>(null);
  // F2 and a double click: left and right move within the text.
  const isWithin = useRef(false);
  const isSame = from.id === to.id;

  const commit = () => {
    isWithin.current = false;
    if (typed === null) return;
    setTyped(null);
    book.type([{ from: from.id, to: to.id, text: typed }]);
  };
  const open = () => {
    if (!isOpen || isSame || isWithin.current) return;
    isWithin.current = true;
    const plain = cell.typed ?? editPrice(cell.cost);
    setTyped(plain);
    requestAnimationFrame(() => field.current?.setSelectionRange(plain.length, plain.length));
  };
  const press = (event: KeyboardEvent) => {
    const isAlong = event.key === 'ArrowLeft' || event.key === 'ArrowRight';
    const isToEnd = event.key === 'Home' || event.key === 'End';
    if (isWithin.current && (isAlong || isToEnd)) event.stopPropagation();
    if (event.key === 'Enter' || event.key === 'Tab') commit();
    if (event.key === 'F2') open();
    if (event.key === 'Escape' && typed !== null) {
      event.stopPropagation();
      isWithin.current = false;
      setTyped(null);
      requestAnimationFrame(() => field.current?.select());
    }
    if (typed !== null && (event.key === 'Delete' || event.key === 'Backspace')) {
      event.stopPropagation();
    }
  };
  // Leaving the page is leaving the cell.
  const leave = useEffectEvent(commit);
  useEffect(() => () => leave(), []);

  const problem = cell.state === 'wrong' ? text.badPrice : cell.reason;
  const isBad = cell.state === 'wrong' || cell.state === 'failed';
  const name = text.ride(from.name, to.name);
  return (
    <td
      aria-colindex={column + 2}
      data-selected={isSelected || undefined}
      className={styles.cell}
      style={{ left }}
      data-state={cell.state}
      data-against={isAgainst || undefined}
      data-same={isSame || undefined}
    >
      {isSame ? (
        <span
          className={styles.same}
          data-cell={`${row}:${column}`}
          tabIndex={isActive ? 0 : -1}
          aria-label={name}
          role="img"
        >
          —
        </span>
      ) : (
        <input
          ref={field}
          className={styles.field}
          data-cell={`${row}:${column}`}
          data-editing={typed !== null || undefined}
          inputMode="decimal"
          autoComplete="off"
          tabIndex={isActive ? 0 : -1}
          readOnly={!isOpen}
          maxLength={32}
          aria-label={name}
          aria-invalid={isBad || undefined}
          aria-description={isBad ? problem : undefined}
          title={isBad ? `${name}: ${problem}` : name}
          value={typed ?? cell.typed ?? showPrice(cell.cost)}
          onChange={(event) => setTyped(event.target.value)}
          onFocus={(event) => event.currentTarget.select()}
          onDoubleClick={open}
          onKeyDown={press}
          onBlur={commit}
        />
      )}
    </td>
  );
});
