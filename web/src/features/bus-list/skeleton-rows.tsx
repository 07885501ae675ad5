import { useText } from '../../i18n/language.ts';
import { useIsPhone } from '../../ui/breakpoints.ts';
import styles from './bus-rows.module.css';
import { cardHeight, HEADING_HEIGHT } from './sizes.ts';

const LINES = 16;
const TILES = 6;

interface SkeletonRowsProps {
  isAdmin: boolean;
  /** Number of tiles in a row; undefined for a board. */
  columns: number | undefined;
}

/** The outline of the list until it is known. */
export function SkeletonRows({ isAdmin, columns }: SkeletonRowsProps) {
  const text = useText().common;
  const height = cardHeight(isAdmin, useIsPhone());
  if (columns === undefined) {
    return (
      <div role="status" aria-label={text.loading} className={styles.board}>
        {linesOf(LINES).map((line) => (
          <div key={line} className={styles.line}>
            <span className={styles.bar} />
          </div>
        ))}
      </div>
    );
  }
  return (
    <div role="status" aria-label={text.loading}>
      <div className={styles.route} style={{ height: HEADING_HEIGHT }}>
        <span className={styles.bar} />
      </div>
      {linesOf(TILES).map((line) => (
        <div key={line} style={{ height }}>
          <div className={styles.cards} style={{ gridTemplateColumns: `repeat(${columns}, 1fr)` }}>
            {linesOf(columns).map((column) => (
              <span key={column} className={styles.skeleton} />
            ))}
          </div>
        </div>
      ))}
    </div>
  );
}

function linesOf(count: number): string[] {
  return Array.from({ length: count }, (_, at) => `line ${at}`);
}
