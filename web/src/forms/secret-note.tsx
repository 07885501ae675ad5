import { CopyButton } from '../ui/copy-button.tsx';
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
      <span className={styles.secret}>
        <code>{secret}</code>
        <CopyButton value={secret} />
      </span>
      {note !== undefined && <p>{note}</p>}
    </div>
  );
}
