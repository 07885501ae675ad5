import type { ReactNode } from 'react';
import styles from './panel.module.css';

interface PanelProps {
  title: string;
  /** Content beside the title. */
  tools?: ReactNode;
  /** Hidden from screen readers, which find the content elsewhere. */
  isAriaHidden?: boolean;
  /** Class for the looks of one panel. */
  look?: string | undefined;
  children: ReactNode;
}

/** A section of a tab, with a title. */
export function Panel({ title, tools, isAriaHidden, look = '', children }: PanelProps) {
  return (
    <section className={`${styles.panel} ${look}`} aria-label={title} aria-hidden={isAriaHidden}>
      <header className={styles.head}>
        <h2>{title}</h2>
        {tools}
      </header>
      {children}
    </section>
  );
}
