import type { ReactNode } from 'react';
import styles from './panel.module.css';

interface PanelProps {
  title: string;
  /** Beside the title. */
  tools?: ReactNode;
  /** What stands in it is told elsewhere to who does not see it. */
  isAriaHidden?: boolean;
  children: ReactNode;
}

/** A part of a tab with its title. */
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
