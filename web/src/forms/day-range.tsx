import { DayField } from './day-field.tsx';
import styles from './day-range.module.css';

/** Days from the first to the last one, both included. */
export interface Days {
  readonly from: string;
  readonly to: string;
}

interface DayRangeProps {
  labels: { from: string; to: string };
  days: Days;
  today: string;
  /** Days behind it cannot be chosen; none when absent. */
  last?: string;
  /** What is wrong with the two together. */
  problem?: string | undefined;
  onDays: (days: Days) => void;
}

/** The first and the last day of a period, beside each other. */
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
