import type { ReactNode } from 'react';
import styles from './note-button.module.css';

interface NoteButtonProps {
  onClick: () => void;
  children: ReactNode;
}

/** A button in a message about an edit. */
export function NoteButton({ onClick, children }: NoteButtonProps) {
  return (
    <button type="button" className={styles.button} onClick={onClick}>
      {children}
    </button>
  );
}
