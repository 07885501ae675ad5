import type { ReactNode } from 'react';
import styles from './columns.module.css';

interface ColumnsProps {
  /** Stays in view beside the column; without it the column has the full width. */
  aside?: ReactNode;
  children: ReactNode;
  /** Class for the tab's own looks, above all on a phone. */
  look?: string | undefined;
}

/** A tab's content in a column with the video beside it; on a phone one below the other. */
export function Columns({ aside, children, look = '' }: ColumnsProps) {
  return (
    <div className={`${styles.content} ${look}`}>
      <div className={styles.column}>{children}</div>
      {aside && <div className={styles.aside}>{aside}</div>}
    </div>
  );
}
