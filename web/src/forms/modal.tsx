import { type ReactNode, useEffect, useRef } from 'react';
import { useText } from '../i18n/language.ts';
import { IconButton } from '../ui/button.tsx';
import { CloseIcon } from '../ui/icons.tsx';
import styles from './modal.module.css';

interface ModalProps {
  title: string;
  onClose: () => void;
  children: ReactNode;
}

/** A dialog over the page; Esc and a click beside it close it. Mount it to open it. */
export function Modal({ title, onClose, children }: ModalProps) {
  const text = useText().common;
  const ref = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = ref.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);
  return (
    <dialog
      ref={ref}
      className={styles.modal}
      aria-label={title}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onPointerDown={(event) => {
        if (event.target === ref.current) onClose();
      }}
    >
      <div className={styles.inner}>
        <div className={styles.header}>
          <h2>{title}</h2>
          <IconButton label={text.close} onClick={onClose}>
            <CloseIcon />
          </IconButton>
        </div>
        {children}
      </div>
    </dialog>
  );
}
