import { type RefObject, useState } from 'react';
import { formatNumber } from '../../i18n/format.ts';
import { useIsPhone } from '../../ui/breakpoints.ts';
import type { CountKey, Filters } from './filters.ts';
import { Legend } from './legend.tsx';
import styles from './report.module.css';
import type { Chart, Series } from './series.ts';
import { TrafficChart, type TrafficChartProps } from './traffic-chart.tsx';
import { useStatsText } from './use-stats-text.ts';

interface ChartCardProps {
  svg: RefObject<SVGSVGElement | null>;
  chart: Chart;
  shown: readonly Series[];
  countKey: CountKey;
  by: Filters['by'];
  off: ReadonlySet<string>;
  onOff: (off: readonly string[]) => void;
  onTick: TrafficChartProps['onTick'];
}

/** The chart with its legend, which lights up the line under the pointer. */
export function ChartCard({ svg, chart, shown, countKey, by, off, onOff, onTick }: ChartCardProps) {
  const text = useStatsText();
  const isPhone = useIsPhone();
  const [lit, setLit] = useState<string>();
  const silent = chart.series
    .filter((one) => one.silentHours > 0)
    .toSorted((a, b) => b.silentHours - a.silentHours);
  const silentHours = silent.reduce((sum, one) => sum + one.silentHours, 0);
  return (
    <div className={styles.chartCard}>
      <TrafficChart {...{ svg, chart, shown, countKey, lit, onTick }} onLit={setLit} />
      <Legend {...{ series: chart.series, by, off, onOff, lit, onLit: setLit }} />
      {isPhone && silentHours > 0 && (
        <p className={`${styles.silence} ${styles.phoneSilence}`}>
          {text.silentIn(silent[0]?.name ?? '', silent.length - 1, formatNumber(silentHours))}
        </p>
      )}
    </div>
  );
}
