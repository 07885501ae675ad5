import { type ImportKind, listImports } from '@ridewatch/contract/admin-import';
import { useEffect, useEffectEvent, useState } from 'react';
import { useEndpoint } from '../../../calls/api.ts';
import { nowMs } from '../../../core/clock.ts';
import styles from './import-dialog.module.css';
import { LoadedTables } from './loaded-tables.tsx';
import { useImportText } from './use-import-text.ts';

/** How often the tables that are loaded by now are read, ms. */
const READ_EVERY_MS = 5_000;
/** Minutes within which even the largest table is loaded, or will not be. */
const MOST_LOAD_MINUTES = 10;

interface LostLoadProps {
  kind: ImportKind;
  /** Called at first and whenever another table is loaded: what was found out about the open one is old. */
  onOld: () => void;
  onUndone: () => void;
}

/** Says that the answer to a load was lost, and shows whether the server has loaded the table by now. */
export function LostLoad({ kind, onOld, onUndone }: LostLoadProps) {
  const text = useImportText();
  const [endMs] = useState(() => nowMs() + MOST_LOAD_MINUTES * 60_000);
  const { data } = useEndpoint(
    listImports,
    { query: { kind } },
    { refetchInterval: () => nowMs() < endMs && READ_EVERY_MS },
  );
  const latest = data?.items[0]?.id;
  const tellOld = useEffectEvent((_latest: number | undefined) => onOld());
  useEffect(() => tellOld(latest), [latest]);
  return (
    <>
      <div className={styles.alert} role="alert">
        <p>{text.lost(MOST_LOAD_MINUTES)}</p>
      </div>
      <LoadedTables kind={kind} none={text.noneYet} onUndone={onUndone} />
    </>
  );
}
