import type { DayFragments } from '@ridewatch/contract/fragments';
import { hourStartName } from '@ridewatch/contract/hours';
import type { RefObject } from 'react';
import type { HourBar } from '../../charts/hour-bars.ts';
import { csvOf, pngOf, saveFile } from '../../charts/save-chart.ts';
import styles from './day-chart.module.css';
import { useDayText } from './use-day-text.ts';

interface SaveMenuProps {
  day: DayFragments;
  hours: readonly HourBar[];
  busName: string;
  /** The drawn chart. */
  svg: RefObject<SVGSVGElement | null>;
  onClose: () => void;
}

/** Saves the day's chart as a picture or a table. */
export function SaveMenu({ day, hours, busName, svg, onClose }: SaveMenuProps) {
  const text = useDayText();
  const fileName = `${busName} ${day.date}`;
  const saveTable = () => {
    const rows = hours.map((hour) => [
      hourStartName(hour.startMs, day.timezone),
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
    <div className={styles.menu}>
      <button
        type="button"
        onClick={() => {
          onClose();
          void savePicture();
        }}
      >
        {text.savePicture} (PNG)
      </button>
      <button
        type="button"
        onClick={() => {
          onClose();
          saveTable();
        }}
      >
        {text.saveTable} (CSV)
      </button>
    </div>
  );
}
