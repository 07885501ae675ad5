import { useState } from 'react';
import { useText } from '../i18n/language.ts';
import { OverPage } from '../ui/over-page.tsx';
import { useBackCloses } from '../ui/over-page-back.ts';
import { Sheet, type SheetHeight } from '../ui/sheet.tsx';
import { NotificationPanel } from './notification-panel.tsx';
import styles from './slide-up.module.css';

/**
 * The notifications on a phone: a sheet that opens from below. Dragging it down, Esc, Back, or a touch beside it closes
 * it.
 */
export function SlideUp({ onClose }: { onClose: () => void }) {
  const text = useText().common;
  useBackCloses(onClose);
  const [height, setHeight] = useState<SheetHeight>('half');
  return (
    <OverPage label={text.notifications} look={styles.ground} onClose={onClose}>
      <Sheet
        label={text.notifications}
        handleLabel={text.notifications}
        height={height}
        onHeight={(next) => (next === 'low' ? onClose() : setHeight(next))}
        head={null}
      >
        <div className={styles.body}>
          <NotificationPanel onLeave={onClose} />
        </div>
      </Sheet>
    </OverPage>
  );
}
