import { type ReactNode, useEffect, useRef } from 'react';
import styles from './video-modal.module.css';

interface VideoModalProps {
  label: string;
  onClose: () => void;
  children: ReactNode;
}

/** The chosen fragment over a phone's screen; Esc, Back and a press beside it put it away. */
export function VideoModal({ label, onClose, children }: VideoModalProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  return (
    // The keys of the page go on to act on the video.
    <dialog
      ref={dialog}
      className={styles.modal}
      aria-label={label}
      data-page-keys
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onPointerDown={(event) => {
        if (event.target === dialog.current) onClose();
      }}
    >
      {children}
    </dialog>
  );
}
