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
  /** For tables: as wide as the page allows, at most 920 px. */
  isWide?: boolean;
  /** Nothing closes it now: what it waits for would be lost. */
  isHeld?: boolean;
  onClose: () => void;
  children: ReactNode;
}

/** A dialog that is open while it is mounted. */
export function ModalPanel(props: ModalPanelProps) {
  const { title, note, isWide, isHeld = false, onClose, children } = props;
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
        <Dialog.Backdrop className={styles.ground} />
        <Dialog.Popup className={styles.modal} data-wide={isWide}>
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
