import { DayField } from './day-field.tsx';
import styles from './day-range.module.css';

/** A period of days; both ends are included. */
export interface Days {
  readonly from: string;
  readonly to: string;
}

interface DayRangeProps {
  labels: { from: string; to: string };
  days: Days;
  today: string;
  /** The last day that can be chosen; any day by default. */
  last?: string;
  /** The problem of the period. */
  problem?: string | undefined;
  onDays: (days: Days) => void;
}

/** Two fields for the first and the last day of a period. */
export function DayRange({ labels, days, today, last, problem, onDays }: DayRangeProps) {
  const bounds = { today, ...(last !== undefined && { last }) };
  return (
    <div className={styles.range}>
      <DayField
        {...bounds}
        label={labels.from}
        day={days.from}
        onDay={(from) => onDays({ ...days, from })}
      />
      <DayField
        {...bounds}
        label={labels.to}
        day={days.to}
        problem={problem}
        onDay={(to) => onDays({ ...days, to })}
      />
    </div>
  );
}
