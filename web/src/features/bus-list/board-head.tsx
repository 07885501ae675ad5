import { memo } from 'react';
import type { Sort } from './arrangement.ts';
import styles from './board.module.css';
import { useListText } from './use-list-text.ts';

interface BoardHeadProps {
  isAdmin: boolean;
  /** Undefined: by routes. */
  sort: Sort | undefined;
  onSort: (sort: Sort | undefined) => void;
}

const columns = [
  'bus',
  'state',
  'entered',
  'hours',
  'inside',
  'lap',
  'cameras',
  'attention',
] as const;
type Column = (typeof columns)[number];
const isSort = (column: Column): column is Column & Sort =>
  ['state', 'entered', 'inside', 'attention'].includes(column);

/** The head of the board; a press on a column shows the most important buses of it first, a second one ends that. */
export const BoardHead = memo(function BoardHead({ isAdmin, sort, onSort }: BoardHeadProps) {
  const own = useListText();
  return (
    <div className={styles.head} data-admin={isAdmin || undefined}>
      {columns.map((column) => {
        const name = own.columns[column];
        const gridArea = column === 'attention' ? 'marks' : column;
        if (!isSort(column)) {
          return (
            <span
              key={column}
              className={column === 'hours' ? styles.hoursName : undefined}
              style={{ gridArea }}
            >
              {name}
            </span>
          );
        }
        const isPressed = sort === column;
        return (
          <span
            key={column}
            className={column === 'entered' ? styles.right : undefined}
            style={{ gridArea }}
          >
            <button
              type="button"
              aria-pressed={isPressed}
              title={isPressed ? own.byRoutes : own.sortBy(name)}
              onClick={() => onSort(isPressed ? undefined : column)}
            >
              {name}
              {isPressed && ' ↓'}
            </button>
          </span>
        );
      })}
      {isAdmin && <span style={{ gridArea: 'rid' }}>{own.columns.rid}</span>}
    </div>
  );
});
