import type { DayChange } from '@ridewatch/contract/lap-recalculation';
import { kopecksOf, showDifference, showMoney } from '@ridewatch/contract/money';
import { formatDay } from '../../../i18n/format.ts';
import styles from './action-form.module.css';
import { useRecalculationText } from './recalculation-texts.ts';

/** The days that a recalculation changes, and by how much. */
export function DayChanges({ items }: { items: readonly DayChange[] }) {
  const text = useRecalculationText();
  const kopecks = (roubles: string | null) => (roubles === null ? 0 : kopecksOf(roubles));
  const before = items.reduce((sum, one) => sum + kopecks(one.revenue_before), 0);
  const after = items.reduce((sum, one) => sum + kopecks(one.revenue_after), 0);
  return (
    <div className={styles.table}>
      <table aria-label={text.changes}>
        <thead>
          <tr>
            <th scope="col">{text.day}</th>
            <th scope="col">{text.laps}</th>
            <th scope="col">{text.revenue}</th>
            <th scope="col">{text.difference}</th>
          </tr>
        </thead>
        <tbody>
          {items.map((one) => (
            <tr key={one.date}>
              <th scope="row">
                {formatDay(one.date)}
                {isSameInFigures(one) && <small>{text.otherChange}</small>}
              </th>
              <td>{change(String(one.laps_before), String(one.laps_after))}</td>
              <td>{change(shown(one.revenue_before), shown(one.revenue_after))}</td>
              <Difference of={kopecks(one.revenue_after) - kopecks(one.revenue_before)} />
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{text.total}</th>
            <td />
            <td>{change(showMoney(before), showMoney(after))}</td>
            <Difference of={after - before} />
          </tr>
        </tfoot>
      </table>
    </div>
  );
}

function Difference({ of }: { of: number }) {
  const sign = of > 0 ? 'more' : 'less';
  return <td data-sign={of === 0 ? undefined : sign}>{showDifference(of)}</td>;
}

// The figures are equal; times or stops of laps differ.
const isSameInFigures = (one: DayChange): boolean =>
  one.laps_before === one.laps_after && one.revenue_before === one.revenue_after;

const shown = (roubles: string | null): string =>
  roubles === null ? '—' : showMoney(kopecksOf(roubles));

const change = (before: string, after: string): string =>
  before === after ? before : `${before} → ${after}`;
