import { DayField } from '../../forms/day-field.tsx';
import { formatDay } from '../../i18n/format.ts';
import { Button } from '../../ui/button.tsx';
import { useRouteText } from './use-route-text.ts';
import styles from './valid-from.module.css';

interface ValidFromProps {
  day: string;
  today: string;
  /**
   * Changes are allowed: the day is today, or the user selected it. Otherwise the route of a past day is only shown.
   */
  isOpen: boolean;
  mayEdit: boolean;
  /** Undefined selects today. */
  onDay: (day: string | undefined) => void;
}

/** Shows and selects the day from which changes are valid, and what that means for earlier days. */
export function ValidFrom({ day, today, isOpen, mayEdit, onDay }: ValidFromProps) {
  const text = useRouteText();
  if (!mayEdit || !isOpen) {
    return (
      <div className={styles.bar}>
        <span className={styles.label}>
          {text.asOf} <strong>{formatDay(day)}</strong>
        </span>
        {mayEdit && (
          <>
            <span className={styles.hint}>{text.viewOnly}</span>
            <Button onClick={() => onDay(today)}>{text.editFromToday}</Button>
            <Button kind="quiet" onClick={() => onDay(day)}>
              {text.editFromThen(formatDay(day))}
            </Button>
          </>
        )}
      </div>
    );
  }
  const when = whenOf(day, today);
  return (
    <div className={styles.bar}>
      <div className={styles.day}>
        <DayField
          label={text.validFrom}
          day={day}
          today={today}
          onDay={(chosen) => onDay(chosen === today ? undefined : chosen)}
        />
      </div>
      <span className={styles.tag} data-when={when}>
        {{ past: text.tagPast, today: text.tagToday, future: text.tagFuture }[when]}
      </span>
      {when !== 'today' && (
        <Button kind="quiet" onClick={() => onDay(undefined)}>
          {text.backToToday}
        </Button>
      )}
      {when !== 'today' && (
        <span className={styles.hint}>{when === 'past' ? text.pastHint : text.futureHint}</span>
      )}
    </div>
  );
}

function whenOf(day: string, today: string): 'past' | 'today' | 'future' {
  if (day === today) return 'today';
  return day < today ? 'past' : 'future';
}
