import { addDays } from '@ridewatch/contract/day';
import { MonthPage } from '../forms/month-page.tsx';
import { Popover } from '../forms/popover.tsx';
import { formatDay } from '../i18n/format.ts';
import { useIsPhone } from '../ui/breakpoints.ts';
import { IconButton } from '../ui/button.tsx';
import { BackIcon, ForwardIcon } from '../ui/icons.tsx';
import styles from './day-picker.module.css';
import { usePageText } from './use-page-text.ts';

interface DayPickerProps {
  day: string;
  today: string;
  /** Displayed name of the bus's zone. */
  zone: string;
  onDay: (day: string) => void;
}

/** Selects the day; future days are disabled. */
export function DayPicker({ day, today, zone, onDay }: DayPickerProps) {
  const text = usePageText();
  const weekday = new Date(`${day}T00:00:00Z`).toLocaleDateString(text.locale, {
    weekday: 'short',
    timeZone: 'UTC',
  });
  // A phone has room for the year only where it says more.
  const isPhone = useIsPhone();
  const isShort = isPhone && day.slice(0, 4) === today.slice(0, 4);
  const shownZone = isPhone ? zone.split(', ').at(-1) : zone;
  const shown = formatDay(day).slice(0, isShort ? 5 : 10);
  return (
    <div className={styles.picker}>
      <IconButton label={text.previousDay} onClick={() => onDay(addDays(day, -1))}>
        <BackIcon />
      </IconButton>
      <Popover
        label={`${weekday}, ${shown} ${shownZone}: ${text.chooseDay}`}
        buttonClass={styles.button}
        button={
          <>
            <span className={styles.day}>
              <span data-weekday={isShort ? 'short' : 'long'}>{weekday}, </span>
              {shown}
            </span>{' '}
            <span className={styles.zone}>{shownZone}</span>
          </>
        }
      >
        {(close) => (
          <MonthPage
            day={day}
            today={today}
            last={today}
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
