import type { ReactNode } from 'react';
import styles from './empty-state.module.css';

interface EmptyStateProps {
  title: string;
  text: string;
  /** Nothing else is on the page: the title is its heading. */
  isPage?: boolean;
  /** The next step of the user. */
  children?: ReactNode;
}

/** Takes the place of data that does not exist: says why, and what to do. */
export function EmptyState({ title, text, isPage = false, children }: EmptyStateProps) {
  const Title = isPage ? 'h1' : 'h2';
  return (
    <div className={styles.empty}>
      <Title>{title}</Title>
      <p>{text}</p>
      {children}
    </div>
  );
}
