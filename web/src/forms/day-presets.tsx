import { addDays } from '@ridewatch/contract/day';
import { type DaySpan, spanOf } from '@ridewatch/contract/stat-ticks';
import styles from './day-presets.module.css';
import { useFormText } from './use-form-text.ts';

const PRESETS = ['yesterday', 'lastWeek', 'month'] as const;

interface DayPresetsProps {
  today: string;
  onSpan: (span: DaySpan) => void;
}

/** The ranges that people ask for most: each ends with a day that is over. */
export function DayPresets({ today, onSpan }: DayPresetsProps) {
  const text = useFormText();
  return (
    <div className={styles.presets}>
      {PRESETS.map((preset) => (
        <button key={preset} type="button" onClick={() => onSpan(presetSpan(preset, today))}>
          {text.presets[preset]}
        </button>
      ))}
    </div>
  );
}

function presetSpan(preset: (typeof PRESETS)[number], today: string): DaySpan {
  const yesterday = addDays(today, -1);
  if (preset === 'yesterday') return spanOf('date', yesterday);
  if (preset === 'lastWeek') return spanOf('week', addDays(today, -7));
  return { dateFrom: `${yesterday.slice(0, 7)}-01`, dateTo: yesterday };
}
