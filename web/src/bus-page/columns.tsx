import type { ReactNode } from 'react';
import styles from './columns.module.css';

interface ColumnsProps {
  /** Stays in sight beside the column; absent, the column has all the width. */
  aside?: ReactNode;
  children: ReactNode;
  /** Where the tab differs, on a phone above all. */
  look?: string | undefined;
}

/** A tab's content in a column, and beside it what is watched; one below the other on a phone. */
export function Columns({ aside, children, look = '' }: ColumnsProps) {
  return (
    <div className={`${styles.content} ${look}`}>
      <div className={styles.column}>{children}</div>
      {aside && <div className={styles.aside}>{aside}</div>}
    </div>
  );
}
