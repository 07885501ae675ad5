import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef } from 'react';
import { formatNumber } from '../../i18n/format.ts';
import styles from './report.module.css';
import type { Series } from './series.ts';
import { useStatsText } from './use-stats-text.ts';

/** Height of a row, px (spec section 9). */
const ROW_PX = 21;

interface LegendProps {
  series: readonly Series[];
  off: ReadonlySet<string>;
  onToggle: (id: string) => void;
  /** Switches all series on. */
  onAll: () => void;
}

/** The names of the series, which switch them off and on. */
export function Legend({ series, off, onToggle, onAll }: LegendProps) {
  const text = useStatsText();
  const box = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: series.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_PX,
    overscan: 10,
  });
  return (
    <section className={styles.legend} aria-label={text.legend}>
      {off.size > 0 && (
        <button type="button" className={styles.all} onClick={onAll}>
          {text.total}: {series.length}
        </button>
      )}
      <div ref={box} className={styles.scroll}>
        <div style={{ height: rows.getTotalSize(), position: 'relative' }}>
          {rows.getVirtualItems().map(({ index, start }) => {
            const one = series[index];
            if (!one) return null;
            const isOn = !off.has(one.id);
            return (
              <button
                key={one.id}
                type="button"
                className={styles.legendRow}
                style={{ top: start }}
                aria-pressed={isOn}
                onClick={() => onToggle(one.id)}
              >
                <i style={{ borderColor: one.colour, background: isOn ? one.colour : 'none' }} />
                <span>{one.name}</span>
                {one.silentHours > 0 && (
                  <em data-silent title={text.silent(`${one.silentHours}`)} />
                )}
                <b>{formatNumber(one.total)}</b>
              </button>
            );
          })}
        </div>
      </div>
    </section>
  );
}
