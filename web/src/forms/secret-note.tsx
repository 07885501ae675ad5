import { useEffect, useRef } from 'react';
import { CopyButton } from '../ui/copy-button.tsx';
import { isByKey } from '../ui/last-input.ts';
import styles from './secret-note.module.css';

interface SecretNoteProps {
  title: string;
  text: string;
  secret: string;
  /** A further effect. */
  note?: string | undefined;
}

/** Shows a secret that is shown once, with a button that copies it. */
export function SecretNote({ title, text, secret, note }: SecretNoteProps) {
  return (
    <div role="status" className={styles.note}>
      <strong>{title}</strong>
      <p>{text}</p>
      <Secret key={secret} secret={secret} />
      {note !== undefined && <p>{note}</p>}
    </div>
  );
}

/** The button has the focus of somebody who made the secret with the keyboard. */
function Secret({ secret }: { secret: string }) {
  const element = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const { activeElement } = document;
    // The control that made it may be gone; elsewhere the user has gone on.
    const isNear = element.current?.closest('aside, section')?.contains(activeElement) ?? false;
    if (isByKey() && (isNear || activeElement === document.body))
      element.current?.querySelector('button')?.focus();
  }, []);
  return (
    <span ref={element} className={styles.secret}>
      <code>{secret}</code>
      <CopyButton value={secret} />
    </span>
  );
}
