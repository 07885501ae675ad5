import { type KeyboardEvent, useRef, useState } from 'react';
import { useSaveOnLeave } from '../../../edits/use-save-on-leave.ts';
import { useRouteText } from '../use-route-text.ts';
import type { PriceBook, PriceCell } from './price-book.ts';
import styles from './price-cell.module.css';
import { conflictText } from './price-conflicts.tsx';
import { editPrice, showPrice } from './price-text.ts';

interface PriceFieldProps {
  book: PriceBook;
  cell: PriceCell;
  from: { id: number; name: string };
  to: { id: number; name: string };
  /** Row and column, `3:5`. */
  place: string;
  isOpen: boolean;
}

const ALONG = ['ArrowLeft', 'ArrowRight', 'Home', 'End'];
const AWAY = ['ArrowUp', 'ArrowDown', 'PageUp', 'PageDown', 'Enter', 'Tab', ...ALONG];

/** The input of the active cell. As in a spreadsheet, typing replaces the price, and leaving saves it. */
export function PriceField({ book, cell, from, to, place, isOpen }: PriceFieldProps) {
  const text = useRouteText();
  const field = useRef<HTMLInputElement>(null);
  const [typed, setShown] = useState<string | null>(null);
  // Holds the typed text outside of the state: the input may unmount before it renders after a commit, and must not
  // save twice.
  const uncommitted = useRef<string | null>(null);
  // After F2 or a double click: left and right move in the text.
  const isWithin = useRef(false);

  const setTyped = (next: string | null) => {
    uncommitted.current = next;
    setShown(next);
  };
  const commit = () => {
    isWithin.current = false;
    const { current } = uncommitted;
    if (current === null) return;
    setTyped(null);
    book.type([{ from: from.id, to: to.id, text: current }]);
  };
  const open = () => {
    if (!isOpen || isWithin.current) return;
    isWithin.current = true;
    const plain = cell.typed ?? editPrice(cell.cost);
    setTyped(plain);
    requestAnimationFrame(() => field.current?.setSelectionRange(plain.length, plain.length));
  };
  const press = (event: KeyboardEvent) => {
    if (isWithin.current && ALONG.includes(event.key)) {
      event.stopPropagation();
      return;
    }
    if (AWAY.includes(event.key)) commit();
    if (event.key === 'F2') open();
    if (typed === null) return;
    if (event.key === 'Escape') {
      event.stopPropagation();
      isWithin.current = false;
      setTyped(null);
      requestAnimationFrame(() => field.current?.select());
    }
    if (event.key === 'Delete' || event.key === 'Backspace') event.stopPropagation();
  };
  // Save also when the input unmounts or the page unloads.
  useSaveOnLeave(commit, true);

  const isBad = cell.state === 'wrong' || cell.state === 'failed';
  const conflict = conflictText(cell, text);
  const problem = cell.state === 'wrong' ? text.badPrice : cell.reason;
  const name = text.ride(from.name, to.name);
  return (
    <input
      ref={field}
      className={styles.field}
      data-cell={place}
      data-editing={typed !== null || undefined}
      inputMode="decimal"
      autoComplete="off"
      readOnly={!isOpen}
      maxLength={32}
      aria-label={name}
      aria-invalid={isBad || undefined}
      aria-description={conflict ?? (isBad ? problem : undefined)}
      title={conflict || isBad ? `${name}: ${conflict ?? problem}` : name}
      value={typed ?? cell.typed ?? showPrice(cell.cost)}
      onChange={(event) => setTyped(event.target.value)}
      onFocus={(event) => event.currentTarget.select()}
      onDoubleClick={open}
      onKeyDown={press}
      onBlur={commit}
    />
  );
}
