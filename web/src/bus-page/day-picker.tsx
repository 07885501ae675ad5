import { addDays } from '@ridewatch/contract/day';
import { useState } from 'react';
import { formatDay } from '../i18n/format.ts';
import { IconButton } from '../ui/button.tsx';
import { BackIcon, ForwardIcon } from '../ui/icons.tsx';
import { Popover } from '../ui/popover.tsx';
import { addMonths, daysOfPage } from './calendar.ts';
import styles from './day-picker.module.css';
import { usePageText } from './use-page-text.ts';

interface DayPickerProps {
  day: string;
  today: string;
  /** The bus's zone as people name it. */
  zone: string;
  onDay: (day: string) => void;
}

/** The shown day with the days around it; days to come cannot be chosen. */
export function DayPicker({ day, today, zone, onDay }: DayPickerProps) {
  const text = usePageText();
  const weekday = new Date(`${day}T00:00:00Z`).toLocaleDateString(text.locale, {
    weekday: 'short',
    timeZone: 'UTC',
  });
  return (
    <div className={styles.picker}>
      <IconButton label={text.previousDay} onClick={() => onDay(addDays(day, -1))}>
        <BackIcon />
      </IconButton>
      <Popover
        label={`${weekday}, ${formatDay(day)} ${zone}: ${text.chooseDay}`}
        buttonClass={styles.button}
        button={
          <>
            <span className={styles.day}>
              {weekday}, {formatDay(day)}
            </span>{' '}
            <span className={styles.zone}>{zone}</span>
          </>
        }
      >
        {(close) => (
          <MonthPage
            day={day}
            today={today}
            onDay={(chosen) => {
              close();
              onDay(chosen);
            }}
          />
        )}
      </Popover>
      <IconButton
        label={text.nextDay}
        disabled={day >= today}
        onClick={() => onDay(addDays(day, 1))}
      >
        <ForwardIcon />
      </IconButton>
    </div>
  );
}

function MonthPage({ day, today, onDay }: Omit<DayPickerProps, 'zone'>) {
  const text = usePageText();
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
          disabled={month >= today.slice(0, 7)}
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
            disabled={one > today}
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
