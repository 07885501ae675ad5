import type { DayFragments } from '@ridewatch/contract/fragments';
import type { RefObject } from 'react';
import { usePageText } from '../../bus-page/use-page-text.ts';
import type { HourBar, Side } from '../../charts/hour-bars.ts';
import { lazyComponent } from '../../core/lazy-component.tsx';
import { Popover } from '../../forms/popover.tsx';
import { DownloadIcon } from '../../ui/icons.tsx';
import styles from './day-chart.module.css';
import { useDayText } from './use-day-text.ts';

const SaveMenu = lazyComponent(
  async () => (await import('./save-menu.tsx')).SaveMenu,
  () => <div className={styles.menu} aria-busy="true" />,
);

const SIDES: readonly Side[] = ['entered', 'exited'];

interface ChartLegendProps {
  day: DayFragments;
  hours: readonly HourBar[];
  busName: string;
  /** The drawn chart. */
  svg: RefObject<SVGSVGElement | null>;
  hidden: ReadonlySet<Side>;
  onHidden: (hidden: ReadonlySet<Side>) => void;
}

/** The legend of the day's chart, whose keys hide a side, and the menu that saves the chart. */
export function ChartLegend({ day, hours, busName, svg, hidden, onHidden }: ChartLegendProps) {
  const text = useDayText();
  const page = usePageText();
  const toggle = (side: Side) => {
    const next = new Set(hidden);
    if (!next.delete(side)) next.add(side);
    onHidden(next);
  };
  return (
    <span className={styles.legend}>
      {SIDES.map((side) => (
        <button
          key={side}
          type="button"
          className={styles.key}
          aria-pressed={!hidden.has(side)}
          onClick={() => toggle(side)}
        >
          <i data-colour={side} />
          {text[side].toLocaleLowerCase(page.locale)}
        </button>
      ))}
      <Popover label={text.saveTable} buttonClass={styles.save} button={<DownloadIcon />}>
        {(close) => (
          <SaveMenu day={day} hours={hours} busName={busName} svg={svg} onClose={close} />
        )}
      </Popover>
    </span>
  );
}
