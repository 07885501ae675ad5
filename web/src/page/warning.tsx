import type { ReactNode } from 'react';
import styles from './warning.module.css';

/** A warning about a state, as opposed to the failure of an action. */
export function Warning({ children }: { children: ReactNode }) {
  return (
    <div role="status" className={styles.warning}>
      {children}
    </div>
  );
}
