import { type ImportKind, listImports } from '@ridewatch/contract/admin-import';
import { useEffect, useEffectEvent } from 'react';
import { useEndpoint } from '../../../calls/api.ts';
import styles from './import-dialog.module.css';
import { LoadedTables } from './loaded-tables.tsx';
import { useImportText } from './use-import-text.ts';

/** How often the tables that are loaded by now are read, ms. */
const READ_EVERY_MS = 5_000;
/** Minutes within which even the largest table is loaded, or will not be. */
export const MOST_LOAD_MINUTES = 10;

interface LostLoadProps {
  kind: ImportKind;
  /** When the answer was lost, ms since 1970 UTC. */
  atMs: number;
  /** Called at first and whenever another table is loaded: what was found out about the open one is old. */
  onOld: () => void;
  /** Called once the list was read after the longest time that a load takes. */
  onOver: () => void;
  onUndone: () => void;
}

/** Says that the answer to a load was lost, and shows whether the server has loaded the table by now. */
export function LostLoad({ kind, atMs, onOld, onOver, onUndone }: LostLoadProps) {
  const text = useImportText();
  const endMs = atMs + MOST_LOAD_MINUTES * 60_000;
  const { data, dataUpdatedAt } = useEndpoint(
    listImports,
    { query: { kind } },
    { refetchInterval: ({ state }) => state.dataUpdatedAt < endMs && READ_EVERY_MS },
  );
  const latest = data?.items[0]?.id;
  const tellOld = useEffectEvent((_latest: number | undefined) => onOld());
  useEffect(() => tellOld(latest), [latest]);
  const isOver = dataUpdatedAt >= endMs;
  const tellOver = useEffectEvent(onOver);
  useEffect(() => {
    if (isOver) tellOver();
  }, [isOver]);
  return (
    <>
      <div className={styles.alert} role="alert">
        <p>{text.lost(MOST_LOAD_MINUTES)}</p>
      </div>
      <LoadedTables kind={kind} none={text.noneYet} onUndone={onUndone} />
    </>
  );
}
