import { type ReactNode, useState } from 'react';
import { OverPage } from './over-page.tsx';
import { useBackCloses } from './over-page-back.ts';
import { Sheet, type SheetHeight } from './sheet.tsx';
import styles from './slide-up.module.css';

interface SlideUpProps {
  /** Accessible name. */
  label: string;
  /** As high as its content, for a few lines. */
  isShort?: boolean;
  onClose: () => void;
  children: ReactNode;
}

/**
 * A sheet over a phone's page that opens from below. Mount it to open it. Dragging it down, Esc, Back, or a touch beside
 * it closes it.
 */
export function SlideUp({ label, isShort = false, onClose, children }: SlideUpProps) {
  useBackCloses(onClose);
  const [height, setHeight] = useState<SheetHeight>('half');
  return (
    <OverPage
      label={label}
      look={isShort ? `${styles.ground} ${styles.short}` : styles.ground}
      onClose={onClose}
    >
      <Sheet
        label={label}
        handleLabel={label}
        height={height}
        onHeight={(next) => (next === 'low' ? onClose() : setHeight(next))}
        head={null}
      >
        <div className={styles.body}>{children}</div>
      </Sheet>
    </OverPage>
  );
}
