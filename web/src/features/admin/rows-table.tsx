import { MOST_SEVERAL } from '@ridewatch/contract/admin-several';
import { Link } from '@tanstack/react-router';
import { type CSSProperties, type KeyboardEvent, useEffect } from 'react';
import { formatNumber } from '../../i18n/format.ts';
import { useIsWide } from '../../ui/breakpoints.ts';
import { SortHead } from '../../ui/sort-head.tsx';
import { goByArrow, useRows } from '../../ui/virtual-list.tsx';
import styles from './rows-table.module.css';
import type { AdminContext, Property, Section } from './section.ts';
import { useAdminText } from './use-admin-text.ts';
import { useRowFocus } from './use-row-focus.ts';
import type { Rows } from './use-rows.ts';
import type { Selection } from './use-selection.ts';

/** Height of a row, px (interface.md), and on phones. */
const ROW_PX = 40;
const PHONE_ROW_PX = 64;
/** Columns beside an open drawer, which shows the others, too; fewer where their fixed widths, px, leave the first no room. */
const [BESIDE_DRAWER, MOST_FIXED_PX] = [4, 300];
/** Fewer of whole texts: their words have room. */
const WHOLE_BESIDE_DRAWER = 3;

interface RowsTableProps<Row extends { readonly id: number }> {
  section: Section<Row>;
  context: AdminContext;
  rows: Rows<Row>;
  total: number;
  /** The row whose drawer is open. */
  openId: number | undefined;
  /** A drawer is open, of a row or of a new one. */
  isBesideDrawer: boolean;
  sort: { readonly by: string | undefined; readonly isDescending: boolean };
  onSort: (by: string) => void;
  isPhone: boolean;
  /** Absent: rows are not chosen here. */
  selection: Selection<Row> | undefined;
}

/** The rows of a section; only those in view are in the page. The first cell of each leads to its drawer. */
export function RowsTable<Row extends { readonly id: number }>(props: RowsTableProps<Row>) {
  const {
    section,
    context,
    rows,
    total,
    openId,
    isBesideDrawer,
    sort,
    onSort,
    isPhone,
    selection,
  } = props;
  const text = useAdminText();
  const isWide = useIsWide();
  const all = section.properties(context).filter(({ width }) => width !== undefined);
  const isNarrow = isBesideDrawer && !isWide;
  const columns = isNarrow
    ? firstOf(all, section.hasWholeTexts ? WHOLE_BESIDE_DRAWER : BESIDE_DRAWER)
    : all;
  const { frame, virtual, items } = useRows<HTMLDivElement>({
    count: total,
    rowPx: isPhone ? PHONE_ROW_PX : ROW_PX,
  });
  const { show } = rows;
  const [first, last] = [items[0]?.index ?? 0, items.at(-1)?.index ?? 0];
  useEffect(() => show(first, last), [show, first, last]);
  useRowFocus(frame, openId ?? Number.NaN, {
    isReady: items.length > 0,
    show: (rowId) => {
      const index = rows.indexOf(rowId);
      if (index >= 0) virtual.scrollToIndex(index, { align: 'center' });
      return index >= 0;
    },
  });
  const press = (event: KeyboardEvent<HTMLTableElement>): void => {
    const next = goByArrow(event);
    // With Shift each row that is passed becomes chosen, too.
    if (next !== undefined && event.shiftKey && event.target instanceof HTMLInputElement) {
      selection?.toggle(next, true);
    }
  };
  // Rows with whole texts are measured in the page.
  const measure = section.hasWholeTexts ? virtual.measureElement : undefined;
  const boxes = selection ? ['18px'] : [];
  const chooseAll =
    total > MOST_SEVERAL ? text.chooseMost(formatNumber(MOST_SEVERAL)) : text.chooseAll;
  const widths = {
    '--columns': [
      ...boxes,
      ...columns.map(({ width = '' }) => (isNarrow ? narrow(width) : width)),
    ].join(' '),
    ...(isNarrow && { '--least-width': 0 }),
  } as CSSProperties;
  return (
    <div
      ref={frame}
      className={styles.frame}
      tabIndex={-1}
      data-old={rows.isOld || undefined}
      data-whole={section.hasWholeTexts || undefined}
      style={widths}
    >
      <table
        className={styles.table}
        aria-label={text.sections[section.name]}
        aria-rowcount={total + 1}
        onKeyDown={press}
      >
        {!isPhone && (
          <thead className={styles.head}>
            <tr className={styles.row}>
              {selection && (
                <th scope="col" className={styles.box}>
                  <input
                    type="checkbox"
                    aria-label={chooseAll}
                    title={chooseAll}
                    ref={(box) => {
                      const { size } = selection.rows;
                      if (box) box.indeterminate = size > 0 && size < total;
                    }}
                    checked={selection.rows.size > 0}
                    onChange={selection.toggleAll}
                  />
                </th>
              )}
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
                ref={measure}
                data-index={index}
                aria-rowindex={index + 2}
                className={isPhone ? styles.card : styles.row}
                data-row={index}
                data-open={(row !== undefined && row.id === openId) || undefined}
                style={{ transform: `translateY(${start}px)` }}
              >
                {selection && row && (
                  <td className={styles.box}>
                    <input
                      type="checkbox"
                      aria-label={text.choose(section.titleOf(row, context))}
                      checked={selection.rows.has(row.id)}
                      onChange={({ nativeEvent }) => {
                        const isRange = nativeEvent instanceof MouseEvent && nativeEvent.shiftKey;
                        selection.toggle(index, isRange);
                      }}
                    />
                  </td>
                )}
                <Cells {...{ section, context, columns, row, isPhone }} />
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

function firstOf<Row>(all: readonly Property<Row>[], most: number): readonly Property<Row>[] {
  let fixedPx = 0;
  return all.slice(0, most).filter(({ width = '' }) => {
    fixedPx += Number(/^(\d+)px$/.exec(width)?.[1] ?? 0);
    return fixedPx <= MOST_FIXED_PX;
  });
}

/** A column that gives way: `minmax(0,1fr)` of `minmax(140px, 1fr)`. */
const narrow = (width: string): string => width.replace(/minmax\([^,]+,/, 'minmax(0,');

interface CellsProps<Row extends { readonly id: number }>
  extends Pick<RowsTableProps<Row>, 'section' | 'context' | 'isPhone'> {
  columns: readonly Property<Row>[];
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
  return columns.map(({ key, value, isNumber }, at) => {
    const shown = value(row);
    // A long text is cut.
    const title = typeof shown === 'string' ? shown : undefined;
    return (
      <td key={key} className={isNumber ? styles.number : styles.cell} title={title}>
        {at === 0 ? (
          <RowLink name={section.name} id={row.id}>
            {shown}
          </RowLink>
        ) : (
          (shown ?? '—')
        )}
      </td>
    );
  });
}

interface HeadCellProps<Row> {
  column: Property<Row>;
  sort: RowsTableProps<never>['sort'];
  onSort: (by: string) => void;
}

function HeadCell<Row>({ column, sort, onSort }: HeadCellProps<Row>) {
  const text = useAdminText();
  const { label, sort: by, isNumber } = column;
  const look = isNumber ? styles.number : styles.cell;
  if (by === undefined) {
    return (
      <th scope="col" className={look}>
        {label}
      </th>
    );
  }
  const order = sort.isDescending ? 'descending' : 'ascending';
  return (
    <SortHead
      direction={by === sort.by ? order : undefined}
      look={look}
      title={text.sortBy(label)}
      onSort={() => onSort(by)}
    >
      {label}
    </SortHead>
  );
}

type PhoneRowProps<Row extends { readonly id: number }> = Pick<
  RowsTableProps<Row>,
  'section' | 'context'
> & { row: Row };

function PhoneRow<Row extends { readonly id: number }>(props: PhoneRowProps<Row>) {
  const { section, context, row } = props;
  const title = section.titleOf(row, context);
  const note = section.noteOf(row, context);
  return (
    <td className={styles.phone} title={title}>
      <RowLink name={section.name} id={row.id}>
        {title}
      </RowLink>
      <small title={typeof note === 'string' ? note : undefined}>{note}</small>
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
      data-row-id={id}
      className={styles.link}
    >
      {children}
    </Link>
  );
}
