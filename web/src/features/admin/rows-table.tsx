import { Link } from '@tanstack/react-router';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type CSSProperties, type KeyboardEvent, useEffect, useRef } from 'react';
import styles from './rows-table.module.css';
import type { AdminContext, Column, Section } from './section.ts';
import { useAdminText } from './use-admin-text.ts';
import type { Rows } from './use-rows.ts';

/** Height of a row, px (interface.md), and on phones. */
const ROW_PX = 40;
const PHONE_ROW_PX = 60;

interface RowsTableProps<Row extends { readonly id: number }> {
  section: Section<Row>;
  context: AdminContext;
  rows: Rows<Row>;
  total: number;
  /** The row whose drawer is open. */
  openId: number | undefined;
  sort: { readonly by: string | undefined; readonly isDescending: boolean };
  onSort: (by: string) => void;
  isPhone: boolean;
}

/** The rows of a section; only those in view are in the page. The first cell of each leads to its drawer. */
export function RowsTable<Row extends { readonly id: number }>(props: RowsTableProps<Row>) {
  const { section, context, rows, total, openId, sort, onSort, isPhone } = props;
  const text = useAdminText();
  const frame = useRef<HTMLDivElement>(null);
  const columns = section.columns(context);
  const virtual = useVirtualizer({
    count: total,
    getScrollElement: () => frame.current,
    estimateSize: () => (isPhone ? PHONE_ROW_PX : ROW_PX),
    overscan: 8,
  });
  const items = virtual.getVirtualItems();
  const { show } = rows;
  const [first, last] = [items[0]?.index ?? 0, items.at(-1)?.index ?? 0];
  useEffect(() => show(first, last), [show, first, last]);
  const press = (event: KeyboardEvent<HTMLTableElement>): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const row = event.target instanceof Element ? event.target.closest('[data-row]') : null;
    if (step === undefined || row === null) return;
    event.preventDefault();
    const next = Number(row.getAttribute('data-row')) + step;
    frame.current?.querySelector<HTMLElement>(`[data-row="${next}"] a`)?.focus();
  };
  const widths = { '--columns': columns.map(({ width }) => width).join(' ') } as CSSProperties;
  return (
    <div ref={frame} className={styles.frame} data-old={rows.isOld || undefined} style={widths}>
      <table
        className={styles.table}
        aria-label={text.sections[section.name]}
        aria-rowcount={total + 1}
        onKeyDown={press}
      >
        {!isPhone && (
          <thead className={styles.head}>
            <tr className={styles.row}>
              {columns.map((column) => (
                <HeadCell key={column.key} {...{ column, sort, onSort }} />
              ))}
            </tr>
          </thead>
        )}
        <tbody className={styles.body} style={{ height: virtual.getTotalSize() }}>
          {items.map(({ index, start }) => {
            const row = rows.rowAt(index);
            return (
              <tr
                key={index}
                aria-rowindex={index + 2}
                className={isPhone ? styles.card : styles.row}
                data-row={index}
                data-open={(row !== undefined && row.id === openId) || undefined}
                style={{ transform: `translateY(${start}px)` }}
              >
                <Cells {...{ section, context, columns, row, isPhone }} />
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

interface CellsProps<Row extends { readonly id: number }>
  extends Pick<RowsTableProps<Row>, 'section' | 'context' | 'isPhone'> {
  columns: readonly Column<Row>[];
  /** Undefined until loaded. */
  row: Row | undefined;
}

function Cells<Row extends { readonly id: number }>(props: CellsProps<Row>) {
  const { section, context, columns, row, isPhone } = props;
  if (row === undefined) {
    return (
      <td>
        <i className={styles.waiting} />
      </td>
    );
  }
  if (isPhone) return <PhoneRow {...{ section, context, row }} />;
  return columns.map(({ key, cell, isNumber }, at) => (
    <td key={key} className={isNumber ? styles.number : styles.cell}>
      {at === 0 ? (
        <RowLink name={section.name} id={row.id}>
          {cell(row)}
        </RowLink>
      ) : (
        cell(row)
      )}
    </td>
  ));
}

interface HeadCellProps<Row> {
  column: Column<Row>;
  sort: RowsTableProps<never>['sort'];
  onSort: (by: string) => void;
}

function HeadCell<Row>({ column, sort, onSort }: HeadCellProps<Row>) {
  const text = useAdminText();
  const { label, sort: by, isNumber } = column;
  const isSorted = by !== undefined && by === sort.by;
  const order = sort.isDescending ? 'descending' : 'ascending';
  return (
    <th
      scope="col"
      className={isNumber ? styles.number : styles.cell}
      aria-sort={isSorted ? order : undefined}
    >
      {by === undefined ? (
        label
      ) : (
        <button type="button" title={text.sortBy(label)} onClick={() => onSort(by)}>
          {label}
          {isSorted && (sort.isDescending ? ' ↓' : ' ↑')}
        </button>
      )}
    </th>
  );
}

type PhoneRowProps<Row extends { readonly id: number }> = Pick<
  RowsTableProps<Row>,
  'section' | 'context'
> & { row: Row };

function PhoneRow<Row extends { readonly id: number }>(props: PhoneRowProps<Row>) {
  const { section, context, row } = props;
  return (
    <td className={styles.phone}>
      <RowLink name={section.name} id={row.id}>
        {section.titleOf(row, context)}
      </RowLink>
      <small>{section.noteOf(row, context)}</small>
    </td>
  );
}

interface RowLinkProps {
  name: string;
  id: number;
  children: React.ReactNode;
}

/** Opens the drawer of a row and keeps search and filters. */
export function RowLink({ name, id, children }: RowLinkProps) {
  return (
    <Link
      to="/admin/{-$section}/{-$id}"
      params={{ section: name, id: String(id) }}
      search={(search) => search}
      resetScroll={false}
      className={styles.link}
    >
      {children}
    </Link>
  );
}
