import type { DaySpan } from '@ridewatch/contract/stat-ticks';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useMemo, useRef } from 'react';
import { figureText, meanText, shareText } from './figures.ts';
import { SortHead, type TableProps } from './report-table.tsx';
import { sumOf } from './series.ts';
import { Swatch } from './swatch.tsx';
import styles from './table.module.css';
import { sorted } from './table-order.ts';
import { useStatsText } from './use-stats-text.ts';

const ROW_PX = 48;

/** The table of a phone: total, mean and share of each series; a name leads to what is behind it. */
export function PhoneTable(props: TableProps & { span: DaySpan }) {
  const { chart, countKey, by, off, order, span, onTick } = props;
  const text = useStatsText();
  const frame = useRef<HTMLElement>(null);
  const rows = useMemo(() => sorted(chart.series, order), [chart, order]);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    estimateSize: () => ROW_PX,
    overscan: 8,
  });
  const items = virtual.getVirtualItems();
  const abovePx = items[0]?.start ?? 0;
  const belowPx = virtual.getTotalSize() - (items.at(-1)?.end ?? 0);
  const whole = sumOf(chart.series);
  return (
    <section ref={frame} className={styles.phoneFrame} aria-label={text.table}>
      <table className={styles.phoneTable} aria-rowcount={rows.length + 1}>
        <thead>
          <tr>
            <SortHead {...props} column="name" label={text.names[by]} />
            <SortHead {...props} column="total" label={text.keys[countKey]} />
            <th scope="col">{text.perDay}</th>
            <th scope="col">{text.share}</th>
          </tr>
        </thead>
        <tbody>
          {abovePx > 0 && <tr aria-hidden="true" style={{ height: abovePx }} />}
          {items.map(({ index }) => {
            const one = rows[index];
            return (
              one && (
                <tr key={one.id} aria-rowindex={index + 2} data-off={off.has(one.id) || undefined}>
                  <th scope="row">
                    <button type="button" onClick={() => onTick(span, one.id)}>
                      <Swatch colour={one.colour} isOff={off.has(one.id)} />
                      <span>{one.name}</span>
                    </button>
                  </th>
                  <td className={styles.total}>{figureText(countKey, one.total)}</td>
                  <td>{meanText(countKey, one.total, chart.days)}</td>
                  <td>{shareText(one.total, whole)}</td>
                </tr>
              )
            );
          })}
          {belowPx > 0 && <tr aria-hidden="true" style={{ height: belowPx }} />}
        </tbody>
      </table>
    </section>
  );
}
