import { useText } from '../../i18n/language.ts';
import styles from './login-screen.module.css';
import type { Failure } from './sign-in.ts';

interface FailureNoteProps {
  failure: Failure;
  supportEmail: string;
  /** How long the limit of attempts still refuses. */
  waitMin: number;
}

/** Says why sign-in failed, or why the session ended (spec section 8). */
export function FailureNote({ failure, supportEmail, waitMin }: FailureNoteProps) {
  const { title, text } = useText().login.failures[failure];
  return (
    <div role="alert" className={styles.alert}>
      <strong>{title}</strong>
      <p>{text(supportEmail, waitMin)}</p>
    </div>
  );
}
