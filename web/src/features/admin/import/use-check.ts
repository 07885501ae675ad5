import {
  checkImport,
  type ImportCell,
  type ImportCheck,
  type ImportKind,
  keyColumns,
} from '@ridewatch/contract/admin-import';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { call } from '../../../calls/request.ts';
import { currentLanguage } from '../../../i18n/language.ts';

/** A table as the page has it now: cells that were mended, columns that were chosen. */
export interface EditedTable {
  readonly kind: ImportKind;
  readonly heading: number;
  readonly names: readonly string[];
  readonly columns: readonly (string | null)[];
  readonly rows: readonly (readonly ImportCell[])[];
}

/** The columns by which rows find their objects and that a table does not have. */
export function missingOf({ kind, columns }: EditedTable): string[] {
  return keyColumns[kind].filter((column) => !columns.includes(column));
}

/** The body of the calls about a table. */
export const bodyOf = ({ kind, heading, columns, rows }: EditedTable) => ({
  ...{ kind, heading, columns: [...columns], language: currentLanguage() },
  rows: rows.map((row) => [...row]),
});

/** Has the server check a table after each change of it. */
export function useCheck(table: EditedTable) {
  const [checked, setChecked] = useState<{ table: EditedTable; check: ImportCheck }>();
  const [failed, setFailed] = useState<EditedTable>();
  const running = useRef<AbortController>(null);
  const isWhole = missingOf(table).length === 0 && table.rows.length > 0;
  const ask = (asked: EditedTable): void => {
    // The answer to the former question no longer matters.
    running.current?.abort();
    const ended = new AbortController();
    running.current = ended;
    const { signal } = ended;
    call(checkImport, { body: bodyOf(asked), signal }).then(
      (check) => signal.aborted || setChecked({ table: asked, check }),
      () => signal.aborted || setFailed(asked),
    );
  };
  const begin = useEffectEvent(ask);
  const wanted = isWhole ? table : undefined;
  useEffect(() => {
    if (wanted === undefined) return;
    begin(wanted);
    return () => running.current?.abort();
  }, [wanted]);
  return {
    /** Of an older version of the table while `isChecking`. */
    check: isWhole ? checked?.check : undefined,
    isChecking: isWhole && checked?.table !== table && failed !== table,
    isFailed: isWhole && failed === table && checked?.table !== table,
    isOfTable: checked?.table === table,
    retry: () => {
      setFailed(undefined);
      ask(table);
    },
    /** Takes the check that a refused load answered with. */
    take: (check: ImportCheck) => setChecked({ table, check }),
  };
}
