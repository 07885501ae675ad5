import type { ImportKind } from '@ridewatch/contract/admin-import';
import { type LoadedTable, listImports } from '@ridewatch/contract/admin-import-undo';
import { useEffect, useEffectEvent } from 'react';
import { useEndpoint } from '../../../calls/api.ts';
import { currentSession } from '../../../core/session.ts';
import styles from './import-dialog.module.css';
import { LoadedTables } from './loaded-tables.tsx';
import { useImportText } from './use-import-text.ts';

/** How often the tables that are loaded by now are read, ms. */
const READ_EVERY_MS = 5_000;
/** Minutes within which even the largest table is loaded, or will not be. */
export const MOST_LOAD_MINUTES = 10;

/** A load whose answer was lost. */
export interface Lost {
  readonly kind: ImportKind;
  /** When it was lost, ms since 1970 UTC. */
  readonly atMs: number;
  /** The file that was being loaded. */
  readonly file: string;
  /** The tables that were known to be loaded before. */
  readonly before: readonly number[];
}

interface LostLoadProps {
  lost: Lost;
  /** Called at first and whenever another table is loaded or undone: what was found out about the open one is old. */
  onOld: () => void;
  /** Called once the table is among the loaded ones, or after the longest time that a load takes. */
  onOver: () => void;
  /** Called once the table is undone. */
  onUndone: () => void;
}

/** Says that the answer to a load was lost, and shows whether the server has loaded the table by now. */
export function LostLoad({ lost, onOld, onOver, onUndone }: LostLoadProps) {
  const text = useImportText();
  const { kind, atMs } = lost;
  const endMs = atMs + MOST_LOAD_MINUTES * 60_000;
  const { data, dataUpdatedAt } = useEndpoint(
    listImports,
    { query: { kind } },
    { refetchInterval: ({ state }) => state.dataUpdatedAt < endMs && READ_EVERY_MS },
  );
  const own = data?.items.find((one) => isOf(lost, one));
  const latest = data?.items[0]?.id;
  const tellOld = useEffectEvent((_latest: number | undefined) => onOld());
  useEffect(() => tellOld(latest), [latest]);
  const isOver = own !== undefined || dataUpdatedAt >= endMs;
  const tellOver = useEffectEvent(onOver);
  useEffect(() => {
    if (isOver) tellOver();
  }, [isOver]);
  const isUndone = own !== undefined && own.undone_at !== null;
  const tellUndone = useEffectEvent(onUndone);
  useEffect(() => {
    if (isUndone) tellUndone();
  }, [isUndone]);
  return (
    <>
      <div className={styles.alert} role="alert">
        <p>{own ? text.lostLoaded(own.id) : text.lost(MOST_LOAD_MINUTES)}</p>
      </div>
      <LoadedTables
        kind={kind}
        none={text.noneYet}
        onUndone={(id) => (id === own?.id ? onUndone() : onOld())}
      />
    </>
  );
}

const isOf = ({ file, before }: Lost, table: LoadedTable): boolean =>
  table.file === file && table.user === currentSession()?.user.login && !before.includes(table.id);
