import { useId } from 'react';
import { formatDay } from '../i18n/format.ts';
import styles from './day-field.module.css';
import { MonthPage } from './month-page.tsx';
import { Popover } from './popover.tsx';

interface DayFieldProps {
  label: string;
  /** Undefined until one is chosen. */
  day: string | undefined;
  today: string;
  /** Last day that can be chosen; any day by default. */
  last?: string;
  /** The problem of the day. */
  problem?: string | undefined;
  onDay: (day: string) => void;
}

/** A labelled button with a day; it opens a calendar. */
export function DayField({ label, day, today, last, problem, onDay }: DayFieldProps) {
  const id = useId();
  const shown = day === undefined ? '—' : formatDay(day);
  return (
    <div className={styles.field}>
      <span id={id} className={styles.label}>
        {label}
      </span>
      <Popover
        label={`${label}: ${shown}`}
        buttonClass={styles.button}
        button={
          <>
            {shown}
            <svg width="16" height="16" viewBox="0 0 24 24" aria-hidden="true">
              <path d="M4 6h16v14H4zM4 10h16M8 3v5M16 3v5" />
            </svg>
          </>
        }
      >
        {(close) => (
          <MonthPage
            day={day ?? today}
            today={today}
            last={last}
            onDay={(chosen) => {
              close();
              onDay(chosen);
            }}
          />
        )}
      </Popover>
      {problem !== undefined && (
        <p role="alert" className={styles.problem}>
          {problem}
        </p>
      )}
    </div>
  );
}
