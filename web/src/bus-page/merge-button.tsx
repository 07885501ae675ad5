import type { BusInfo } from '@ridewatch/contract/buses';
import { useState } from 'react';
import { later } from '../later.tsx';
import { drawn } from '../ui/icons.tsx';
import styles from './day-header.module.css';
import { usePageText } from './use-page-text.ts';

const MergeDialog = later(async () => (await import('../merges/merge-dialog.tsx')).MergeDialog);

/** Two pieces of film that become one. */
const MergeIcon = drawn('M3 5h6v14H3zM15 5h6v14h-6zM9 12h6M12 9v6');

/** Opens the dialog that asks for a merged video of the shown day. */
export function MergeButton({ info, zoneName }: { info: BusInfo; zoneName: string }) {
  const text = usePageText();
  const [isOpen, setOpen] = useState(false);
  if (info.cameras.length === 0) return null;
  return (
    <>
      <button type="button" className={styles.tool} onClick={() => setOpen(true)}>
        <MergeIcon /> <span>{text.mergeVideo}</span>
      </button>
      {isOpen && <MergeDialog info={info} zoneName={zoneName} onClose={() => setOpen(false)} />}
    </>
  );
}
