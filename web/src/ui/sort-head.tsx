import type { ReactNode } from 'react';
import styles from './sort-head.module.css';

interface SortHeadProps {
  /** Undefined unless the table is sorted by this column. */
  direction: 'ascending' | 'descending' | undefined;
  look?: string | undefined;
  /** Says what a press does. */
  title?: string | undefined;
  onSort: () => void;
  /** Name of the column. */
  children: ReactNode;
}

const ARROWS = { ascending: '↑', descending: '↓' };

/** The head of a column by which a table can be sorted. */
export function SortHead({ direction, look, title, onSort, children }: SortHeadProps) {
  return (
    <th scope="col" className={look} aria-sort={direction}>
      <button type="button" title={title} onClick={onSort}>
        {children}{' '}
        <i className={styles.arrow} aria-hidden="true">
          {direction === undefined ? '↕' : ARROWS[direction]}
        </i>
      </button>
    </th>
  );
}
