import type { MenuFacts } from '../core/session.ts';
import styles from './alert-mark.module.css';
import type { Screen } from './screens.tsx';
import { useAccountText } from './use-account-text.ts';

interface AlertMarkProps {
  screen: Screen;
  known: MenuFacts | undefined;
}

/** The mark of a menu entry behind which something is unread. */
export function AlertMark({ screen, known }: AlertMarkProps) {
  const text = useAccountText();
  if (known === undefined || !screen.hasAlert?.(known)) return null;
  return (
    <>
      {' '}
      <i role="img" aria-label={text.unread} title={text.unread} className={styles.mark} />
    </>
  );
}
