import { type ImportCheck, type ImportFault, textOfCell } from '@ridewatch/contract/admin-import';
import { MAX_TEXT_LENGTH } from '@ridewatch/contract/primitives';
import {
  type CSSProperties,
  useCallback,
  useEffect,
  useEffectEvent,
  useMemo,
  useState,
} from 'react';
import { formatNumber } from '../../../i18n/format.ts';
import { useRows } from '../../../ui/virtual-list.tsx';
import { columnName, letterOf, shownHeading } from './cell-names.ts';
import { widthsOf } from './column-widths.ts';
import styles from './import-grid.module.css';
import { ownColumns } from './own-columns.ts';
import type { EditedTable } from './use-check.ts';
import { useImportText } from './use-import-text.ts';

/** Height of a row, px; it is measured where a note needs more than a line. */
const ROW_PX = 34;

interface ImportGridProps {
  table: EditedTable;
  check: ImportCheck | undefined;
  /** Only rows with a fault, a change or a new route; the unit of a new bus is new with it. */
  isOnlyRemarks: boolean;
  /** The fault to which the user jumped; each jump is another object. */
  shown: { readonly fault: ImportFault } | undefined;
  onColumns: (columns: readonly (string | null)[]) => void;
  onCell: (row: number, column: number, value: string) => void;
}

/** The rows of a table; only those in view are in the page. A cell with a fault is a field. */
export function ImportGrid(props: ImportGridProps) {
  const { table, check, isOnlyRemarks, shown, onColumns, onCell } = props;
  const text = useImportText();
  const faults = useMemo(
    () => new Map((check?.faults ?? []).map((one) => [`${one.row} ${one.column}`, one])),
    [check],
  );
  const additions = useMemo(() => {
    const device = table.columns.indexOf('device_id');
    return new Set([
      ...(check?.routes ?? []).map(({ row, column }) => `${row} ${column}`),
      ...(check?.units ?? []).map((row) => `${row} ${device}`),
    ]);
  }, [table.columns, check]);
  const changed = useMemo(
    () => new Map((check?.changed ?? []).map((one) => [`${one.row} ${one.column}`, one.before])),
    [check],
  );
  const rows = useMemo(() => {
    const all = table.rows.flatMap((row, at) => (row.length > 0 ? [at] : []));
    if (!isOnlyRemarks) return all;
    const ofRoutes = new Set(check?.routes.map(({ row }) => row));
    return all.filter((row) => {
      const state = check?.states[row];
      return state === 'faulty' || state === 'changed' || ofRoutes.has(row);
    });
  }, [table.rows, check, isOnlyRemarks]);
  const keyOf = useCallback((index: number) => rows[index] ?? index, [rows]);
  const { frame, virtual, items } = useRows<HTMLDivElement>({
    ...{ count: rows.length, rowPx: ROW_PX, keyOf },
  });
  const jump = useEffectEvent(({ row, column }: ImportFault) => {
    virtual.scrollToIndex(Math.max(0, rows.indexOf(row)), { align: 'center' });
    // The cell is in the page after the next frame.
    return requestAnimationFrame(() =>
      requestAnimationFrame(() =>
        frame.current?.querySelector<HTMLElement>(`[data-cell="${row} ${column}"]`)?.focus(),
      ),
    );
  });
  useEffect(() => {
    if (!shown) return;
    const first = jump(shown.fault);
    return () => cancelAnimationFrame(first);
  }, [shown]);
  // Counted as the number of all is, without the headings and blank rows.
  const placeOf = (at = 0) => formatNumber(at + 1);
  const columns = useMemo(() => widthsOf(table, check, text), [table, check, text]);
  return (
    <>
      <div ref={frame} className={styles.frame} style={{ '--columns': columns } as CSSProperties}>
        <table className={styles.table} aria-rowcount={rows.length + 1}>
          <thead className={styles.head}>
            <tr className={styles.row}>
              <th scope="col">№</th>
              {table.columns.map((column, at) => (
                <th key={letterOf(at)} scope="col">
                  <small>
                    {letterOf(at)} · {shownHeading(table.names[at], text)}
                  </small>
                  <ColumnChoice
                    {...{ table, column, at }}
                    onChange={(next) => onColumns(chosen(table.columns, at, next))}
                  />
                </th>
              ))}
            </tr>
          </thead>
          <tbody className={styles.body} style={{ height: virtual.getTotalSize() }}>
            {items.map(({ index, start }) => {
              const row = rows[index] ?? 0;
              return (
                <tr
                  key={row}
                  ref={virtual.measureElement}
                  data-index={index}
                  className={styles.row}
                  aria-rowindex={index + 2}
                  data-state={check?.states[row]}
                  style={{ transform: `translateY(${start}px)` }}
                >
                  <th scope="row">{table.heading + 1 + row}</th>
                  {table.columns.map((_, column) => {
                    const key = `${row} ${column}`;
                    const value = textOfCell(table.rows[row]?.[column]);
                    const found = faults.get(key);
                    const before = changed.get(key);
                    return (
                      <td
                        key={letterOf(column)}
                        data-fault={found ? true : undefined}
                        data-new={additions.has(key) || before !== undefined || undefined}
                      >
                        {found ? (
                          <CellField
                            key={value}
                            {...{ value, place: key, fault: found }}
                            onChange={(next) => onCell(row, column, next)}
                          />
                        ) : (
                          <span>{value}</span>
                        )}
                        {additions.has(key) && <small>{text.isNew}</small>}
                        {before !== undefined && !additions.has(key) && (
                          <small>{text.before(before)}</small>
                        )}
                      </td>
                    );
                  })}
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
      <p className={styles.note}>
        {rows.length === 0
          ? text.none
          : text.shown(
              placeOf(virtual.range?.startIndex),
              placeOf(virtual.range?.endIndex),
              formatNumber(rows.length),
            )}{' '}
        {text.nothingYet}
      </p>
    </>
  );
}

/** A column is what only it is. */
function chosen(columns: readonly (string | null)[], at: number, next: string | null) {
  return columns.map((column, one) => {
    if (one === at) return next;
    return column === next ? null : column;
  });
}

interface ColumnChoiceProps {
  table: EditedTable;
  column: string | null;
  at: number;
  onChange: (column: string | null) => void;
}

function ColumnChoice({ table, column, at, onChange }: ColumnChoiceProps) {
  const text = useImportText();
  return (
    <select
      aria-label={text.column(letterOf(at))}
      value={column ?? ''}
      data-left-out={column === null || undefined}
      onChange={({ target }) => onChange(target.value === '' ? null : target.value)}
    >
      <option value="">{text.leftOut}</option>
      {ownColumns(table.kind).map((one) => (
        <option key={one} value={one}>
          → {columnName(table.kind, one, text)}
        </option>
      ))}
    </select>
  );
}

interface CellFieldProps {
  value: string;
  place: string;
  fault: ImportFault;
  onChange: (value: string) => void;
}

// The table is checked when the field is left, so that typing does not move it. A field has one line: it would join lines
// without a space.
function CellField({ value, place, fault, onChange }: CellFieldProps) {
  const text = useImportText();
  const [typed, setTyped] = useState(value.replace(/\s*[\r\n]+\s*/g, ' '));
  const said = text.wrong(fault);
  return (
    <>
      <input
        data-cell={place}
        aria-label={`${text.cell(fault.cell)}: ${said}`}
        aria-invalid="true"
        title={said}
        autoComplete="off"
        maxLength={MAX_TEXT_LENGTH}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
        onBlur={() => typed !== value && onChange(typed)}
        onKeyDown={({ key, currentTarget }) => {
          if (key === 'Enter') currentTarget.blur();
        }}
      />
      <small aria-hidden="true">{said}</small>
    </>
  );
}
