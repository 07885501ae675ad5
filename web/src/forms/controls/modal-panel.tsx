import { Dialog } from '@base-ui/react/dialog';
import type { ReactNode } from 'react';
import { useText } from '../../i18n/language.ts';
import { IconButton } from '../../ui/button.tsx';
import { CloseIcon } from '../../ui/icons.tsx';
import { useBackCloses } from '../../ui/over-page-back.ts';
import styles from './modal-panel.module.css';

interface ModalPanelProps {
  title: string;
  /** The note beside the title. */
  note?: string;
  /** As wide as the page allows: `wide` at most 920 px, `full` 1240 px, for tables of many columns. */
  width?: 'wide' | 'full' | undefined;
  /** Nothing closes it now: what it waits for would be lost. */
  isHeld?: boolean;
  onClose: () => void;
  children: ReactNode;
}

/** A dialog that is open while it is mounted. */
export function ModalPanel(props: ModalPanelProps) {
  const { title, note, width, isHeld = false, onClose, children } = props;
  const text = useText().common;
  const close = () => {
    if (!isHeld) onClose();
  };
  useBackCloses(close);
  return (
    <Dialog.Root
      open
      onOpenChange={(isOpen) => {
        if (!isOpen) close();
      }}
    >
      <Dialog.Portal>
        {/* Forced: a dialog over another one dims it, too. */}
        <Dialog.Backdrop className={styles.ground} forceRender />
        <Dialog.Popup className={styles.modal} data-width={width}>
          <div className={styles.inner}>
            <div className={styles.header}>
              <Dialog.Title>
                {title} {note !== undefined && <small>{note}</small>}
              </Dialog.Title>
              <IconButton label={text.close} disabled={isHeld} onClick={close}>
                <CloseIcon />
              </IconButton>
            </div>
            {children}
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
