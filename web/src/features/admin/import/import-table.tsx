import { type ImportCheck, type ImportFault, runImport } from '@ridewatch/contract/admin-import';
import { type ReactNode, useState } from 'react';
import { useAction } from '../../../calls/api.ts';
import { csvOf, saveFile } from '../../../charts/save-chart.ts';
import { formatNumber } from '../../../i18n/format.ts';
import { useText } from '../../../i18n/language.ts';
import { Button } from '../../../ui/button.tsx';
import { DownIcon } from '../../../ui/icons.tsx';
import styles from './import-dialog.module.css';
import type { Loaded } from './import-done.tsx';
import { ImportGrid } from './import-grid.tsx';
import { bodyOf, type EditedTable, missingOf, useCheck } from './use-check.ts';
import { columnName, useImportText } from './use-import-text.ts';

interface ImportTableProps {
  file: string;
  table: EditedTable;
  tool: ReactNode;
  onChange: (table: EditedTable) => void;
  onCancel: () => void;
  onLoaded: (loaded: Loaded) => void;
}

/** A table before it is loaded: what it comes to, what cannot be taken, and its rows. */
export function ImportTable(props: ImportTableProps) {
  const { file, table, tool, onChange, onCancel, onLoaded } = props;
  const text = useImportText();
  const common = useText().common;
  const { check, isChecking, isFailed, isOfTable, retry, take } = useCheck(table);
  const [isOnlyRemarks, setOnlyRemarks] = useState(false);
  const load = useAction(runImport, {
    onSuccess: (answer) => {
      if (answer.created + answer.changed > 0) onLoaded(answer);
      else take(answer.check);
    },
  });
  const faults = check?.faults ?? [];
  const count = check ? check.adds + check.changes : 0;
  const isAllSame = isOfTable && check?.faulty === 0 && count === 0 && check.rows > 0;
  const missing = missingOf(table).map((column) =>
    text.quoted(columnName(table.kind, column, text)),
  );
  const mayLoad = isOfTable && check?.faulty === 0 && count > 0;
  const faulty = new Set(faults.map(({ row }) => row));
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
          {text.missing(missing.join(', '))}
        </p>
      )}
      {isAllSame && <p className={styles.hint}>{text.allSame}</p>}
      {isFailed && (
        <p className={styles.alert} role="alert">
          {text.checkFailed} <Button onClick={retry}>{common.retry}</Button>
        </p>
      )}
      <FaultsAndGrid
        {...{ table, check, faults, isOnlyRemarks }}
        onColumns={(columns) => onChange({ ...table, columns })}
        onCell={(row, column, value) => {
          const cells = [...(table.rows[row] ?? [])];
          while (cells.length <= column) cells.push('');
          onChange({ ...table, rows: table.rows.with(row, cells.with(column, value)) });
        }}
      />
      <div className={styles.footer}>
        {tool}
        {faults.length > 0 && (
          <>
            <Button kind="quiet" onClick={() => saveFaults(faults, text)}>
              {text.faultsFile}
            </Button>
            <Button
              kind="quiet"
              disabled={!isOfTable}
              onClick={() =>
                // Rows keep their numbers: a blank one is left out.
                onChange({
                  ...table,
                  rows: table.rows.map((row, at) => (faulty.has(at) ? [] : row)),
                })
              }
            >
              {text.dropFaulty}
            </Button>
          </>
        )}
        <span className={styles.tools}>
          <Button onClick={onCancel}>{common.cancel}</Button>
          <Button
            kind="primary"
            disabled={!mayLoad}
            isBusy={load.isPending || isChecking}
            onClick={() => load.mutate({ body: { ...bodyOf(table), file: file.slice(0, 255) } })}
          >
            {text.load(table.kind, count, formatNumber(count))}
          </Button>
        </span>
      </div>
    </>
  );
}

function saveFaults(faults: readonly ImportFault[], text: ReturnType<typeof useImportText>): void {
  const rows = faults.map((fault) => [fault.cell, fault.value, text.wrong(fault)]);
  saveFile(new Blob([csvOf([text.faultColumns, ...rows])], { type: 'text/csv' }), 'errors.csv');
}

function Counts({ check, isOld }: { check: ImportCheck | undefined; isOld: boolean }) {
  const text = useImportText();
  if (check === undefined) return <div className={styles.chips} aria-busy="true" />;
  const { rows, adds, changes, faulty, routes } = check;
  const same = rows - adds - changes - faulty;
  return (
    <div className={styles.chips} role="status" data-old={isOld || undefined}>
      <span>
        <b>{formatNumber(rows)}</b> {text.rows(rows)}
      </span>
      <span data-kind="adds">
        <b>{formatNumber(adds)}</b> {text.adds}
      </span>
      {changes > 0 && (
        <span data-kind="new">
          <b>{formatNumber(changes)}</b> {text.changes}
        </span>
      )}
      {same > 0 && (
        <span>
          <b>{formatNumber(same)}</b> {text.same}
        </span>
      )}
      {routes.length > 0 && (
        <span data-kind="new">
          <b>{formatNumber(routes.length)}</b> {text.createsRoutes(routes.length)}
        </span>
      )}
      {faulty > 0 && (
        <span data-kind="faulty">
          <b>{formatNumber(faulty)}</b> {text.faulty}
        </span>
      )}
    </div>
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

function FaultsAndGrid({ faults, ...grid }: FaultsAndGridProps) {
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
      <ImportGrid {...grid} shown={shown} />
    </>
  );
}
