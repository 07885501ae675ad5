import type { ReactNode } from 'react';
import styles from './warning.module.css';

/** What somebody has to see to, though nothing has failed under their hands. */
export function Warning({ children }: { children: ReactNode }) {
  return (
    <div role="status" className={styles.warning}>
      {children}
    </div>
  );
}
