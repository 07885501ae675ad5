import { formatNumber } from '../../i18n/format.ts';
import styles from './chart.module.css';
import { type Chart, type Series, sumAt } from './series.ts';
import { tickTitle } from './ticks.ts';
import { useStatsText } from './use-stats-text.ts';

/** Width of the tooltip, px. */
export const NOTE_PX = 220;
/** Most series of the tooltip; the table has the others. */
const MOST_NAMED = 10;
/** Two decimals in tooltips (spec section 2). */
const fixed = new Intl.NumberFormat('ru-RU', {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
});

interface ChartNoteProps {
  at: number;
  chart: Chart;
  shown: readonly Series[];
  silentHours: number;
  /** px */
  left: number;
}

/** The tooltip of a tick: its series, the largest first. */
export function ChartNote({ at, chart, shown, silentHours, left }: ChartNoteProps) {
  const text = useStatsText();
  const span = chart.ticks[at];
  if (!span) return null;
  const known = shown.filter(({ values }) => values[at] !== undefined);
  const sorted = known.toSorted((a, b) => (b.values[at] ?? 0) - (a.values[at] ?? 0));
  const more = sorted.length - MOST_NAMED;
  const nothing = span.dateFrom > chart.today ? text.notYet : text.noRecords;
  const isCompared = shown.some(({ before }) => before[at] !== undefined);
  return (
    <div className={styles.note} style={{ left, width: NOTE_PX }} role="status">
      <strong>{tickTitle(span, chart.tick, text)}</strong>
      {sorted.slice(0, MOST_NAMED).map((one) => (
        <span key={one.id}>
          <i style={{ background: one.colour }} /> <em>{one.name}</em>{' '}
          <b>{fixed.format(one.values[at] ?? 0)}</b>
        </span>
      ))}
      {more > 0 && <small>{text.more(formatNumber(more))}</small>}
      <span className={styles.sum}>
        {known.length === 0 ? (
          nothing
        ) : (
          <>
            <em>{text.shownSum}</em> <b>{fixed.format(sumAt(known, at) ?? 0)}</b>
          </>
        )}
      </span>
      {isCompared && (
        <span>
          <em>{text.beforeTotal}</em> <b>{fixed.format(sumAt(shown, at, 'before') ?? 0)}</b>
        </span>
      )}
      {known.some(({ runsFrom }) => at >= runsFrom) && <small>{text.unfinished}</small>}
      {silentHours > 0 && (
        <small className={styles.silentText}>{text.silent(formatNumber(silentHours))}</small>
      )}
    </div>
  );
}
