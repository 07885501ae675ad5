import { type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react';
import { IconButton } from '../ui/button.tsx';
import { BackIcon, ForwardIcon } from '../ui/icons.tsx';
import { dayAfterKey, readTypedDay, sameDayOf, weeksOfPage } from './calendar.ts';
import styles from './month-page.module.css';
import { useFormText } from './use-form-text.ts';

/** Screen readers leave the arrow keys to a grid. */
const GRID = { role: 'grid' } as const;

interface MonthPageProps {
  day: string;
  today: string;
  /** Last day that can be chosen; any day by default. */
  last?: string | undefined;
  onDay: (day: string) => void;
}

/** A calendar page of a month, for pointer and keyboard (`dayAfterKey`). */
export function MonthPage({ day, today, last, onDay }: MonthPageProps) {
  const text = useFormText();
  // The day in the Tab order; the page shows its month.
  const [at, setAt] = useState(day);
  const grid = useRef<HTMLTableElement>(null);
  const wantsFocus = useRef(true);
  useLayoutEffect(() => {
    if (!wantsFocus.current) return;
    wantsFocus.current = false;
    grid.current?.querySelector<HTMLElement>(`[data-day="${at}"]`)?.focus();
  }, [at]);
  const month = at.slice(0, 7);
  const isAfterLast = (one: string) => last !== undefined && one > last;
  const go = (one: string) => setAt(isAfterLast(one) ? (last ?? one) : one);
  const typing = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState('');
  const typedDay = readTypedDay(typed, today, last);
  const isRefused = typed.length > 0 && (typedDay === undefined || isAfterLast(typedDay));
  const type = (written: string) => {
    setTyped(written);
    const read = readTypedDay(written, today, last);
    if (read !== undefined) go(read);
  };
  const press = (event: KeyboardEvent) => {
    // A digit begins a typed day, wherever the focus is in the page.
    if (/^\d$/.test(event.key)) typing.current?.focus();
    const next = dayAfterKey(at, event);
    if (next === undefined) return;
    event.preventDefault();
    wantsFocus.current = true;
    go(next);
  };
  const inWords = (one: string, options: Intl.DateTimeFormatOptions) =>
    new Date(`${one}T00:00:00Z`).toLocaleDateString(text.locale, { ...options, timeZone: 'UTC' });
  const title = inWords(`${month}-01`, { month: 'long', year: 'numeric' });
  return (
    <div className={styles.month}>
      <input
        ref={typing}
        className={styles.typed}
        value={typed}
        inputMode="numeric"
        autoComplete="off"
        maxLength={10}
        aria-label={text.typedDay}
        placeholder={text.typedDayHint}
        aria-invalid={isRefused || undefined}
        onChange={(event) => type(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          event.preventDefault();
          if (typedDay !== undefined && !isRefused) onDay(typedDay);
        }}
      />
      <div className={styles.head}>
        <IconButton label={text.previousMonth} onClick={() => go(sameDayOf(at, -1))}>
          <BackIcon />
        </IconButton>
        <strong aria-live="polite">{title}</strong>
        <IconButton
          label={text.nextMonth}
          disabled={last !== undefined && month >= last.slice(0, 7)}
          onClick={() => go(sameDayOf(at, 1))}
        >
          <ForwardIcon />
        </IconButton>
      </div>
      <table {...GRID} ref={grid} aria-label={title} className={styles.grid} onKeyDown={press}>
        <thead>
          <tr>
            {text.weekdays.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeksOfPage(month).map((week) => (
            <tr key={week[0]}>
              {week.map((one) => (
                <td key={one}>
                  <button
                    type="button"
                    className={styles.cell}
                    data-day={one}
                    data-outside={one.startsWith(month) ? undefined : true}
                    tabIndex={one === at ? 0 : -1}
                    aria-label={inWords(one, { day: 'numeric', month: 'long', year: 'numeric' })}
                    aria-current={one === today ? 'date' : undefined}
                    aria-pressed={one === day}
                    disabled={isAfterLast(one)}
                    onClick={() => onDay(one)}
                  >
                    {Number(one.slice(8))}
                  </button>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <button type="button" className={styles.today} onClick={() => onDay(today)}>
        {text.today}
      </button>
    </div>
  );
}
