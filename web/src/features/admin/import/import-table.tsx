import {
  type ImportCheck,
  type ImportFault,
  MOST_IMPORT_WRITES,
} from '@ridewatch/contract/admin-import';
import { type ReactNode, useEffect, useState } from 'react';
import { csvOf, saveFile } from '../../../charts/save-chart.ts';
import { formatNumber } from '../../../i18n/format.ts';
import { useText } from '../../../i18n/language.ts';
import { useIsPhone } from '../../../ui/breakpoints.ts';
import { Button } from '../../../ui/button.tsx';
import { DownIcon } from '../../../ui/icons.tsx';
import { SideActions } from '../side-actions.tsx';
import { columnName } from './cell-names.ts';
import styles from './import-dialog.module.css';
import { ImportGrid } from './import-grid.tsx';
import { rememberColumns } from './remembered-columns.ts';
import { type EditedTable, missingOf, useCheck } from './use-check.ts';
import { useImportText } from './use-import-text.ts';

interface ImportTableProps {
  table: EditedTable;
  /** Whether the user has chosen a column; else all are guesses. */
  isChosen: boolean;
  /** An action beside those of the table. */
  tool: ReactNode;
  isLoading: boolean;
  /** Why the table may not be loaded yet. */
  waits?: string;
  onChange: (table: EditedTable) => void;
  onCancel: () => void;
  /** @param onRefused takes the check of a table of which nothing was written */
  onLoad: (onRefused: (check: ImportCheck) => void) => void;
}

/** A table before it is loaded: what it comes to, what cannot be taken, and its rows. */
export function ImportTable(props: ImportTableProps) {
  const { table, isChosen, tool, isLoading, waits, onChange, onCancel, onLoad } = props;
  const text = useImportText();
  const common = useText().common;
  const { check, isChecking, isFailed, isOfTable, retry, take } = useCheck(table);
  const [isOnlyRemarks, setOnlyRemarks] = useState(false);
  const faults = check?.faults ?? [];
  const count = check ? check.adds + check.changes : 0;
  const isNothing = isOfTable && check?.faulty === 0 && count === 0;
  const { kind, names, columns } = table;
  useEffect(() => {
    if (isOfTable && isChosen) rememberColumns(kind, names, columns);
  }, [isOfTable, isChosen, kind, names, columns]);
  const missing = missingOf(table).map((column) =>
    text.quoted(columnName(table.kind, column, text)),
  );
  const isTooMuch = count > MOST_IMPORT_WRITES;
  const mayLoad = isOfTable && check?.faulty === 0 && count > 0 && !isTooMuch;
  const most = formatNumber(MOST_IMPORT_WRITES);
  // Rows keep their numbers: a blank one is left out.
  const leaveOut = (isOut: (at: number) => boolean): void =>
    onChange({ ...table, rows: table.rows.map((row, at) => (isOut(at) ? [] : row)) });
  return (
    <>
      <div className={styles.counts}>
        <Counts {...{ check }} isOld={!isOfTable} />
        <label>
          <input
            type="checkbox"
            checked={isOnlyRemarks}
            onChange={({ target }) => setOnlyRemarks(target.checked)}
          />
          {text.onlyRemarks}
        </label>
      </div>
      {missing.length > 0 && (
        <p className={styles.alert} role="alert">
          {text.missing(missing)}
        </p>
      )}
      {isNothing && <p className={styles.hint}>{check.rows > 0 ? text.allSame : text.noRows}</p>}
      {isTooMuch && (
        <div className={styles.alert} role="alert">
          <p>{text.tooMany(most, formatNumber(count))}</p>
          <Button
            kind="quiet"
            disabled={!isOfTable}
            onClick={() => {
              const last = lastOfFirst(check?.states ?? []);
              leaveOut((at) => at > last);
            }}
          >
            {text.keepFirst(most)}
          </Button>
        </div>
      )}
      {isFailed && (
        <p className={styles.alert} role="alert">
          {text.checkFailed} <Button onClick={retry}>{common.retry}</Button>
        </p>
      )}
      {/* An edit meanwhile would be lost, or be taken for what was loaded. */}
      <div className={styles.cells} inert={isLoading}>
        <FaultsAndGrid
          {...{ table, check, faults, isOnlyRemarks }}
          onColumns={(columns) => onChange({ ...table, columns })}
          onCell={(row, column, value) => {
            const cells = [...(table.rows[row] ?? [])];
            while (cells.length <= column) cells.push('');
            onChange({ ...table, rows: table.rows.with(row, cells.with(column, value)) });
          }}
        />
      </div>
      <div className={styles.footer}>
        <SideActions label={text.more} isNarrow={useIsPhone()}>
          {(close) => (
            <>
              {tool}
              {faults.length > 0 && (
                <>
                  <Button kind="quiet" onClick={() => saveFaults(faults, text)}>
                    {text.faultsFile}
                  </Button>
                  <Button
                    kind="quiet"
                    disabled={!isOfTable}
                    onClick={() => {
                      close();
                      leaveOut((at) => check?.states[at] === 'faulty');
                    }}
                  >
                    {text.dropFaulty}
                  </Button>
                </>
              )}
            </>
          )}
        </SideActions>
        {waits !== undefined && !isNothing && <small className={styles.hint}>{waits}</small>}
        <span className={styles.tools}>
          <Button disabled={isLoading} onClick={onCancel}>
            {common.cancel}
          </Button>
          <Button
            kind="primary"
            disabled={!mayLoad || waits !== undefined}
            isBusy={isLoading || isChecking}
            onClick={() => onLoad(take)}
          >
            {text.load(table.kind, count, formatNumber(count))}
          </Button>
        </span>
      </div>
    </>
  );
}

/** The row of the last change that is written with those before it. */
function lastOfFirst(states: ImportCheck['states']): number {
  const written = states.flatMap((state, at) =>
    state === 'new' || state === 'changed' ? [at] : [],
  );
  return written[MOST_IMPORT_WRITES - 1] ?? states.length;
}

function saveFaults(faults: readonly ImportFault[], text: ReturnType<typeof useImportText>): void {
  const rows = faults.map((fault) => [fault.cell, fault.value, text.wrong(fault)]);
  saveFile(new Blob([csvOf([text.faultColumns, ...rows])], { type: 'text/csv' }), 'errors.csv');
}

function Counts({ check, isOld }: { check: ImportCheck | undefined; isOld: boolean }) {
  const text = useImportText();
  if (check === undefined) return <div className={styles.chips} aria-busy="true" />;
  const { rows, adds, changes, faulty, routes, units } = check;
  const same = rows - adds - changes - faulty;
  return (
    <div className={styles.chips} role="status" data-old={isOld || undefined}>
      <Chip count={rows}>{text.rows(rows)}</Chip>
      <Chip count={adds} kind="adds">
        {text.adds(adds)}
      </Chip>
      <Chip count={changes} kind="new">
        {text.changes(changes)}
      </Chip>
      <Chip count={same}>{text.same(same)}</Chip>
      <Chip count={routes.length} kind="new">
        {text.newRoutes(routes.length)}
      </Chip>
      <Chip count={units.length} kind="new">
        {text.newUnits(units.length)}
      </Chip>
      <Chip count={faulty} kind="faulty">
        {text.faulty}
      </Chip>
    </div>
  );
}

interface ChipProps {
  count: number;
  kind?: 'adds' | 'new' | 'faulty';
  children: string;
}

/** A count of rows or of what they create; none at all when there are none. */
function Chip({ count, kind, children }: ChipProps) {
  if (count === 0) return null;
  return (
    <span data-kind={kind}>
      <b>{formatNumber(count)}</b> {children}
    </span>
  );
}

interface FaultsAndGridProps {
  table: EditedTable;
  check: ImportCheck | undefined;
  faults: readonly ImportFault[];
  isOnlyRemarks: boolean;
  onColumns: (columns: readonly (string | null)[]) => void;
  onCell: (row: number, column: number, value: string) => void;
}

function FaultsAndGrid({ faults, check, ...grid }: FaultsAndGridProps) {
  const text = useImportText();
  const [at, setAt] = useState(0);
  const [shown, setShown] = useState<{ fault: ImportFault }>();
  const place = Math.min(at, faults.length - 1);
  const fault = faults[place];
  const jump = (): void => {
    // The first press leads to the fault that is named.
    const next = shown?.fault === fault ? (place + 1) % faults.length : place;
    setAt(next);
    const wanted = faults[next];
    setShown(wanted && { fault: wanted });
  };
  return (
    <>
      {fault && (
        <div className={styles.alert} role="alert">
          <p>
            <strong>
              {text.cell(fault.cell)}: {fault.value !== '' && `${text.quoted(fault.value)} — `}
              {text.wrong(fault)}.
            </strong>{' '}
            {text.mend}
          </p>
          <Button kind="quiet" title={text.nextFault} onClick={jump}>
            {text.faultOf(place + 1, faults.length)} <DownIcon />
          </Button>
        </div>
      )}
      {check && <Unnamed check={check} />}
      <ImportGrid {...grid} check={check} shown={shown} />
    </>
  );
}

/** Says of a check that names only the first of many faults or changes how many there are. */
function Unnamed({ check }: { check: ImportCheck }) {
  const text = useImportText();
  const { faults, fault_cells, changed, changed_cells } = check;
  const [ofFaults, ofChanges] = [fault_cells > faults.length, changed_cells > changed.length];
  if (!ofFaults && !ofChanges) return null;
  return (
    <div className={styles.hint}>
      {ofFaults && (
        <p>
          {text.firstFaults(formatNumber(faults.length), fault_cells, formatNumber(fault_cells))}
        </p>
      )}
      {ofChanges && (
        <p>
          {text.firstChanges(
            formatNumber(changed.length),
            changed_cells,
            formatNumber(changed_cells),
          )}
        </p>
      )}
    </div>
  );
}
