import type { ReactNode } from 'react';
import styles from './panel.module.css';

interface PanelProps {
  title: string;
  /** Content beside the title. */
  tools?: ReactNode;
  /** Hidden from screen readers, which find the content elsewhere. */
  isAriaHidden?: boolean;
  children: ReactNode;
}

/** A section of a tab, with a title. */
export function Panel({ title, tools, isAriaHidden, children }: PanelProps) {
  return (
    <section className={styles.panel} aria-label={title} aria-hidden={isAriaHidden}>
      <header className={styles.head}>
        <h2>{title}</h2>
        {tools}
      </header>
      {children}
    </section>
  );
}
