import { useText } from '../../i18n/language.ts';
import { useIsPhone } from '../../ui/breakpoints.ts';
import styles from './bus-rows.module.css';
import { cardHeight, columnsIn, HEADING_HEIGHT } from './sizes.ts';

const LINES = 6;
const PAGE_PADDING = 40;

/** The outline of the list until it is known. */
export function SkeletonRows({ isAdmin }: { isAdmin: boolean }) {
  const text = useText().common;
  const height = cardHeight(isAdmin, useIsPhone());
  const columns = columnsIn(window.innerWidth - PAGE_PADDING);
  return (
    <div role="status" aria-label={text.loading}>
      <div className={styles.route} style={{ height: HEADING_HEIGHT }}>
        <span className={styles.bar} />
      </div>
      {Array.from({ length: LINES }, (_, at) => `line ${at}`).map((line) => (
        <div key={line} style={{ height }}>
          <div className={styles.cards} style={{ gridTemplateColumns: `repeat(${columns}, 1fr)` }}>
            {Array.from({ length: columns }, (_, at) => `column ${at}`).map((column) => (
              <span key={column} className={styles.skeleton} />
            ))}
          </div>
        </div>
      ))}
    </div>
  );
}
