import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import styles from './pager.module.css';

interface PagerProps {
  /** Accessible name. */
  label: string;
  /** From 0. */
  page: number;
  pages: number;
  newer: string;
  older: string;
  /** The shown rows, of how many. */
  children: ReactNode;
  onPage: (page: number) => void;
}

/** Leads from page to page of a list; nothing if there is one page. */
export function Pager({ label, page, pages, newer, older, children, onPage }: PagerProps) {
  if (pages <= 1) return null;
  return (
    <nav className={styles.pages} aria-label={label}>
      <Button disabled={page === 0} onClick={() => onPage(page - 1)}>
        {newer}
      </Button>
      <span>{children}</span>
      <Button disabled={page >= pages - 1} onClick={() => onPage(page + 1)}>
        {older}
      </Button>
    </nav>
  );
}
