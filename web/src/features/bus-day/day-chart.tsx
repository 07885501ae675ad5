import { formatMoment } from '@ridewatch/contract/day';
import type { DayFragments } from '@ridewatch/contract/fragments';
import { type ReactNode, useMemo, useRef, useState } from 'react';
import { Panel } from '../../bus-page/panel.tsx';
import { usePageText } from '../../bus-page/use-page-text.ts';
import type { HourBar, Side } from '../../charts/hour-bars.ts';
import { HourChart } from '../../charts/hour-chart.tsx';
import { csvOf, pngOf, saveFile } from '../../charts/save-chart.ts';
import { Popover } from '../../forms/popover.tsx';
import { formatNumber } from '../../i18n/format.ts';
import type { Playhead } from '../../player/playhead.ts';
import { DownloadIcon } from '../../ui/icons.tsx';
import styles from './day-chart.module.css';
import { useDayText } from './use-day-text.ts';

interface DayChartProps {
  day: DayFragments;
  busName: string;
  playhead: Playhead;
  onPick: (hour: HourBar) => void;
  /** Further content beside the title. */
  tools?: ReactNode;
  /** Content below the chart. */
  children?: ReactNode;
}

const SIDES: readonly Side[] = ['entered', 'exited'];

/** A chart of the day by hour: green for entered, orange for exited. */
export function DayChart({ day, busName, playhead, onPick, tools, children }: DayChartProps) {
  const text = useDayText();
  const page = usePageText();
  const svg = useRef<SVGSVGElement>(null);
  const [hidden, setHidden] = useState<ReadonlySet<Side>>(new Set());
  const hours = useMemo(() => hoursOf(day), [day]);
  const bounds = useMemo(
    () => ({ startMs: Date.parse(day.start), endMs: Date.parse(day.end) }),
    [day.start, day.end],
  );
  const toggle = (side: Side) => {
    const next = new Set(hidden);
    if (!next.delete(side)) next.add(side);
    setHidden(next);
  };
  const fileName = `${busName} ${day.date}`;
  const saveTable = () => {
    const rows = hours.map((hour) => [
      formatMoment(hour.startMs, day.timezone, 'HH:mm'),
      hour.entered,
      hour.exited,
    ]);
    const table = csvOf([[text.hour, text.entered, text.exited], ...rows]);
    saveFile(new Blob([table], { type: 'text/csv;charset=utf-8' }), `${fileName}.csv`);
  };
  const savePicture = async () => {
    if (!svg.current) return;
    const ground = getComputedStyle(document.documentElement).getPropertyValue('--rw-surface');
    saveFile(await pngOf(svg.current, ground), `${fileName}.png`);
  };
  return (
    <Panel
      title={text.chartTitle}
      look={styles.panel}
      tools={
        <>
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
                <div className={styles.menu}>
                  <button
                    type="button"
                    onClick={() => {
                      close();
                      void savePicture();
                    }}
                  >
                    {text.savePicture} (PNG)
                  </button>
                  <button
                    type="button"
                    onClick={() => {
                      close();
                      saveTable();
                    }}
                  >
                    {text.saveTable} (CSV)
                  </button>
                </div>
              )}
            </Popover>
          </span>
          {tools}
        </>
      }
    >
      <HourChart
        hours={hours}
        bounds={bounds}
        zone={day.timezone}
        hidden={hidden}
        playhead={playhead}
        names={{
          entered: text.entered,
          exited: text.exited,
          hour: text.hour,
          title: text.chartTitle,
        }}
        svg={svg}
        formatNumber={formatNumber}
        onPick={onPick}
      />
      {children}
    </Panel>
  );
}

// On a day with two units their hours are added; a bus has one unit at a time.
function hoursOf(day: DayFragments): HourBar[] {
  const sums = new Map<string, HourBar>();
  for (const { events } of day.events) {
    for (const { start_time, entered, exited } of events) {
      const sum = sums.get(start_time) ?? {
        startMs: Date.parse(start_time),
        entered: 0,
        exited: 0,
      };
      sums.set(start_time, {
        ...sum,
        entered: sum.entered + entered,
        exited: sum.exited + exited,
      });
    }
  }
  return [...sums.values()].sort((a, b) => a.startMs - b.startMs);
}
