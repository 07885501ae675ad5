import type { FailedDay } from '@ridewatch/contract/lap-recalculation';
import { formatDay } from '../../../i18n/format.ts';
import styles from './action-form.module.css';
import { useRecalculationText } from './recalculation-texts.ts';

/** The days that could not be calculated, each with the reason. */
export function FailedDays({ of }: { of: readonly FailedDay[] }) {
  const text = useRecalculationText();
  return of.map(({ date, reason }) => (
    <span key={date} className={styles.problem}>
      {formatDay(date)}: {text.dayFailed[reason]}
    </span>
  ));
}
