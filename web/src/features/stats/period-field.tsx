import { type DaySpan, spanOf, weekdayOf } from '@ridewatch/contract/stat-ticks';
import { DayField } from '../../forms/day-field.tsx';
import { MonthPage } from '../../forms/month-page.tsx';
import { Popover } from '../../forms/popover.tsx';
import { formatDay } from '../../i18n/format.ts';
import { IconButton } from '../../ui/button.tsx';
import { BackIcon, ForwardIcon } from '../../ui/icons.tsx';
import styles from './filters.module.css';
import { type Filters, movedSpan, spanWithEnd } from './filters.ts';
import type { StatsTexts } from './texts-ru.ts';
import { daysText, inWords } from './ticks.ts';
import { useStatsText } from './use-stats-text.ts';

/** The first day of the calendar of the product. */
const FIRST_DAY = '2000-01-01';

interface PeriodFieldProps {
  filters: Filters;
  today: string;
  /** Called with the days of another period of the same kind. */
  onMove: (span: DaySpan) => void;
  /** Called with the chosen days. */
  onSpan: (span: DaySpan) => void;
}

/** Names the period of its kind, with arrows to the ones before and after; own days have both ends. */
export function PeriodField({ filters, today, onMove, onSpan }: PeriodFieldProps) {
  const text = useStatsText();
  const { period, span } = filters;
  const before = movedSpan(filters, -1);
  const shown = periodText(filters, text);
  return (
    <>
      <div className={styles.picker}>
        <IconButton
          label={text.previous}
          disabled={before.dateFrom < FIRST_DAY}
          onClick={() => onMove(before)}
        >
          <BackIcon />
        </IconButton>
        {period === 'custom' ? (
          <strong className={styles.period}>{shown}</strong>
        ) : (
          <Popover
            label={`${text.period}: ${shown}`}
            buttonClass={styles.period}
            button={<strong>{shown}</strong>}
          >
            {(close) => (
              <MonthPage
                day={span.dateFrom}
                today={today}
                onDay={(day) => {
                  close();
                  onSpan(spanOf(period, day));
                }}
              />
            )}
          </Popover>
        )}
        <IconButton label={text.next} onClick={() => onMove(movedSpan(filters, 1))}>
          <ForwardIcon />
        </IconButton>
      </div>
      {period === 'custom' && (
        <div className={styles.ends}>
          <DayField
            label={text.from}
            day={span.dateFrom}
            today={today}
            onDay={(dateFrom) => onSpan(spanWithEnd(span, { dateFrom }, today))}
          />
          <DayField
            label={text.to}
            day={span.dateTo}
            today={today}
            onDay={(dateTo) => onSpan(spanWithEnd(span, { dateTo }, today))}
          />
        </div>
      )}
    </>
  );
}

/** A period in words: `2026`, `Q4 2026`, `November 2026`, `16.11 – 22.11.2026`, `Fr, 20.11.2026`. */
export function periodText({ period, span }: Filters, text: StatsTexts): string {
  const { dateFrom, dateTo } = span;
  const year = dateFrom.slice(0, 4);
  switch (period) {
    case 'year':
      return year;
    case 'quarter':
      return text.quarter(Math.ceil(Number(dateFrom.slice(5, 7)) / 3), year);
    case 'month':
      return inWords(dateFrom, text, { month: 'long', year: 'numeric' });
    case 'week':
      return `${formatDay(dateFrom).slice(0, 5)} – ${formatDay(dateTo)}`;
    case 'date':
      return `${text.weekday[weekdayOf(dateFrom) - 1]}, ${formatDay(dateFrom)}`;
    case 'custom':
      return daysText(span);
  }
}
