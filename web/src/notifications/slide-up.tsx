import { useState } from 'react';
import { useText } from '../i18n/language.ts';
import { IconButton } from '../ui/button.tsx';
import { CloseIcon } from '../ui/icons.tsx';
import { OverPage } from '../ui/over-page.tsx';
import { Sheet, type SheetHeight } from '../ui/sheet.tsx';
import { NotificationPanel } from './notification-panel.tsx';
import styles from './slide-up.module.css';

/**
 * The notifications on a phone: a sheet that opens from below. Dragging it down, Esc, or a touch beside it closes it.
 */
export function SlideUp({ onClose }: { onClose: () => void }) {
  const text = useText().common;
  const [height, setHeight] = useState<SheetHeight>('half');
  return (
    <OverPage label={text.notifications} look={styles.ground} onClose={onClose}>
      <Sheet
        label={text.notifications}
        handleLabel={text.notifications}
        height={height}
        onHeight={(next) => (next === 'low' ? onClose() : setHeight(next))}
        head={
          <div className={styles.head}>
            <h2>{text.notifications}</h2>
            <IconButton label={text.close} onClick={onClose}>
              <CloseIcon />
            </IconButton>
          </div>
        }
      >
        <div className={styles.body}>
          <NotificationPanel onLeave={onClose} />
        </div>
      </Sheet>
    </OverPage>
  );
}
