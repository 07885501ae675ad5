import type { ReactNode } from 'react';
import styles from './progress-bar.module.css';

interface ProgressBarProps {
  label: string;
  /** 0 to 100. */
  percent: number;
  /** A button that ends the work. */
  children: ReactNode;
}

/** How far requested work is. */
export function ProgressBar({ label, percent, children }: ProgressBarProps) {
  return (
    <div className={styles.bar}>
      <progress max={100} value={percent} aria-label={label} />
      <span className={styles.percent}>{Math.round(percent)} %</span>
      {children}
    </div>
  );
}
