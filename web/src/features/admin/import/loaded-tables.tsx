import type { ImportKind } from '@ridewatch/contract/admin-import';
import {
  listImports,
  MOST_OBSTACLES,
  type UndoObstacle,
  undoImport,
} from '@ridewatch/contract/admin-import-undo';
import { useState } from 'react';
import { useAction, useEndpoint } from '../../../calls/api.ts';
import { formatNumber } from '../../../i18n/format.ts';
import { FailedRead } from '../../../page/failed-read.tsx';
import { momentText } from '../moments.ts';
import { Sure } from '../sure.tsx';
import { readAgain } from '../use-rows.ts';
import styles from './import-dialog.module.css';
import { useImportText } from './use-import-text.ts';

interface LoadedTablesProps {
  kind: ImportKind;
  /** Shown when there are none; nothing by default. */
  none?: string;
  /** Called after one of them was undone, with its number. */
  onUndone?: (id: number) => void;
}

/** The tables of the last 24 hours, each with a button that undoes it. */
export function LoadedTables({ kind, none, onUndone }: LoadedTablesProps) {
  const text = useImportText();
  const answer = useEndpoint(listImports, { query: { kind } });
  const isRead = answer.data !== undefined;
  const items = answer.data?.items ?? [];
  const hasFailed = answer.isError && !isRead;
  if (items.length === 0 && none === undefined && !hasFailed) return null;
  return (
    <section className={styles.loaded}>
      <h3>{text.loaded}</h3>
      <FailedRead answer={answer} what={text.loaded} />
      {isRead && items.length === 0 && <small>{none}</small>}
      {items.length > 0 && (
        <ul>
          {items.map(({ id, at, user, file, created, changed, undone_at }) => (
            <li key={id}>
              <span>
                <b>{file}</b>
                <small>
                  № {id} · {momentText(at)} · {user} ·{' '}
                  {text.counts(formatNumber(created), formatNumber(changed))}
                </small>
              </span>
              {undone_at === null ? (
                <UndoTable id={id} onUndone={() => onUndone?.(id)} />
              ) : (
                <small>{text.undone}</small>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** A button that undoes a loaded table, and why it was not undone. @param onUndone what then happens */
export function UndoTable({ id, onUndone }: { id: number; onUndone?: () => void }) {
  const text = useImportText();
  const [obstacles, setObstacles] = useState<readonly UndoObstacle[]>([]);
  const action = useAction(undoImport, {
    onSuccess: async (answer) => {
      setObstacles(answer.obstacles);
      if (!answer.undone) return;
      await readAgain();
      onUndone?.();
    },
  });
  return (
    <>
      <Sure
        label={text.undo}
        text={text.undoText}
        keep={text.keepLoad}
        isBusy={action.isPending}
        onSure={() => action.mutate({ params: { importId: id } })}
      />
      {obstacles.length > 0 && (
        <p className={styles.alert} role="alert">
          {text.notUndone(obstacles)}
          {obstacles.length === MOST_OBSTACLES && ` ${text.firstObstacles(MOST_OBSTACLES)}`}
        </p>
      )}
    </>
  );
}
