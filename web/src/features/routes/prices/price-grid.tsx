import type { RouteStop } from '@ridewatch/contract/routes';
import type { VirtualItem } from '@tanstack/react-virtual';
import { useRef } from 'react';
import { useIsPhone } from '../../../ui/breakpoints.ts';
import { useRouteText } from '../use-route-text.ts';
import { type Cell, cornersOf } from './cell-moves.ts';
import type { PriceBook } from './price-book.ts';
import { PriceCell } from './price-cell.tsx';
import styles from './price-grid.module.css';
import { useCellsInSight } from './use-cells-in-sight.ts';
import { useGrid } from './use-grid.ts';
import { useBookState } from './use-price-book.ts';

const HEAD_PX = 120;
/** Widths of a digit, and of the space around a price, px. */
const DIGIT_PX = { desktop: 8.2, phone: 9.4 };
const AROUND_PX = 22;
const LEAST_COLUMN_PX = 72;

interface PriceGridProps {
  book: PriceBook;
  /** The stops of rows and columns, in the order of travel. */
  stops: readonly RouteStop[];
  isOpen: boolean;
  /** The route has one direction: there are no rides to earlier stops. */
  isOneWay: boolean;
  /** Called with the number of pasted cells beyond the table. */
  onBeyond: (count: number) => void;
}

/** The price table. Only cells in view are rendered, so that it stays fast with a hundred stops. */
export function PriceGrid({ book, stops, isOpen, isOneWay, onBeyond }: PriceGridProps) {
  const text = useRouteText();
  const isPhone = useIsPhone();
  const frame = useRef<HTMLDivElement>(null);
  // With its border a phone's cell is 44 px high.
  const rowPx = isPhone ? 45 : 34;
  const namePx = isPhone ? 126 : 220;
  const { longest } = useBookState(book);
  const digitPx = isPhone ? DIGIT_PX.phone : DIGIT_PX.desktop;
  const columnPx = Math.max(LEAST_COLUMN_PX, Math.ceil(longest * digitPx + AROUND_PX));
  const grid = useGrid(frame, { book, stops, isOpen, isOneWay, rowPx, columnPx, onBeyond });
  const { active, selection } = grid;
  const seen = useCellsInSight(frame, { count: stops.length, rowPx, columnPx, active });
  const drawn = { book, stops, isOpen, isOneWay, active, namePx, columnPx, columns: seen.columns };
  return (
    <div ref={frame} className={styles.frame}>
      <table
        aria-label={text.priceTable}
        aria-rowcount={stops.length + 1}
        aria-colcount={stops.length + 1}
        className={styles.canvas}
        {...grid.handlers}
        style={{
          width: namePx + stops.length * columnPx,
          height: HEAD_PX + stops.length * rowPx,
        }}
      >
        <Head {...drawn} />
        <tbody>
          {seen.rows.map(({ index, start }) => (
            <Row
              key={index}
              {...drawn}
              row={index}
              topPx={HEAD_PX + start}
              heightPx={rowPx}
              selection={selection}
            />
          ))}
        </tbody>
      </table>
      <span data-end tabIndex={-1} />
    </div>
  );
}

interface DrawnProps extends Omit<PriceGridProps, 'onBeyond'> {
  active: Cell;
  /** Width of the row headings, px. */
  namePx: number;
  columnPx: number;
  /** The rendered columns. */
  columns: readonly VirtualItem[];
}

function Head({ stops, active, namePx, columnPx, columns }: DrawnProps) {
  const text = useRouteText();
  return (
    <thead className={styles.head} style={{ height: HEAD_PX }}>
      <tr aria-rowindex={1}>
        <th
          scope="col"
          aria-colindex={1}
          className={styles.corner}
          style={{ width: namePx }}
          data-all
        >
          {text.fromTo}
        </th>
        {columns.map(({ index, start }) => (
          <th
            key={index}
            scope="col"
            aria-colindex={index + 2}
            className={styles.column}
            style={{ left: namePx + start, width: columnPx }}
            title={stops[index]?.name}
            data-column={index}
            data-active={index === active.column || undefined}
          >
            <span>{stops[index]?.name}</span>
          </th>
        ))}
      </tr>
    </thead>
  );
}

interface RowProps extends DrawnProps {
  row: number;
  topPx: number;
  heightPx: number;
  selection: { from: Cell; to: Cell };
}

function Row({ row, topPx, heightPx, selection, ...drawn }: RowProps) {
  const { book, stops, isOpen, isOneWay, active, namePx, columnPx, columns } = drawn;
  const from = stops[row];
  if (!from) return null;
  const { top, left, bottom, right } = cornersOf(selection.from, selection.to);
  return (
    <tr aria-rowindex={row + 2} className={styles.row} style={{ top: topPx, height: heightPx }}>
      <th
        scope="row"
        aria-colindex={1}
        className={styles.name}
        style={{ width: namePx }}
        title={from.name}
        data-row={row}
        data-active={row === active.row || undefined}
      >
        <span>{from.name}</span>
      </th>
      {columns.map(({ index: column, start }) => {
        const to = stops[column];
        return (
          to && (
            <PriceCell
              key={column}
              book={book}
              from={from}
              to={to}
              row={row}
              column={column}
              left={namePx + start}
              width={columnPx}
              isActive={row === active.row && column === active.column}
              isSelected={row >= top && row <= bottom && column >= left && column <= right}
              isAgainst={column < row}
              isNowhere={isOneWay && column < row}
              isOpen={isOpen}
            />
          )
        );
      })}
    </tr>
  );
}
