import { useState } from 'react';
import { useFormText } from './use-form-text.ts';
import { formatDay } from '../i18n/format.ts';
import { IconButton } from '../ui/button.tsx';
import { BackIcon, ForwardIcon } from '../ui/icons.tsx';
import { addMonths, daysOfPage } from './calendar.ts';
import styles from './month-page.module.css';

interface MonthPageProps {
  day: string;
  today: string;
  /** Days behind it cannot be chosen; none when absent. */
  last?: string | undefined;
  onDay: (day: string) => void;
}

/** The days of a month, to choose one. */
export function MonthPage({ day, today, last, onDay }: MonthPageProps) {
  const text = useFormText();
  const [month, setMonth] = useState(day.slice(0, 7));
  const title = new Date(`${month}-01T00:00:00Z`).toLocaleDateString(text.locale, {
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  });
  return (
    <div className={styles.month}>
      <div className={styles.head}>
        <IconButton label={text.previousMonth} onClick={() => setMonth(addMonths(month, -1))}>
          <BackIcon />
        </IconButton>
        <strong aria-live="polite">{title}</strong>
        <IconButton
          label={text.nextMonth}
          disabled={last !== undefined && month >= last.slice(0, 7)}
          onClick={() => setMonth(addMonths(month, 1))}
        >
          <ForwardIcon />
        </IconButton>
      </div>
      <div className={styles.grid}>
        {text.weekdays.map((name) => (
          <span key={name} className={styles.weekday}>
            {name}
          </span>
        ))}
        {daysOfPage(month).map((one) => (
          <button
            key={one}
            type="button"
            className={styles.cell}
            data-outside={one.startsWith(month) ? undefined : true}
            data-today={one === today || undefined}
            aria-label={formatDay(one)}
            aria-pressed={one === day}
            disabled={last !== undefined && one > last}
            onClick={() => onDay(one)}
          >
            {Number(one.slice(8))}
          </button>
        ))}
      </div>
      <button type="button" className={styles.today} onClick={() => onDay(today)}>
        {text.today}
      </button>
    </div>
  );
}
