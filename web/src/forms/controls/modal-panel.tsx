import { Dialog } from '@base-ui/react/dialog';
import type { ReactNode } from 'react';
import { useText } from '../../i18n/language.ts';
import { IconButton } from '../../ui/button.tsx';
import { CloseIcon } from '../../ui/icons.tsx';
import styles from './modal-panel.module.css';

interface ModalPanelProps {
  title: string;
  onClose: () => void;
  children: ReactNode;
}

/** A dialog that is open while it is mounted. */
export function ModalPanel({ title, onClose, children }: ModalPanelProps) {
  const text = useText().common;
  return (
    <Dialog.Root
      open
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose();
      }}
    >
      <Dialog.Portal>
        <Dialog.Backdrop className={styles.ground} />
        <Dialog.Popup className={styles.modal}>
          <div className={styles.inner}>
            <div className={styles.header}>
              <Dialog.Title>{title}</Dialog.Title>
              <IconButton label={text.close} onClick={onClose}>
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
