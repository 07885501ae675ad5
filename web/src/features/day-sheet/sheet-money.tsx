import type { Calculation } from '@ridewatch/contract/day-calculation';
import { kopecksOf, showDifference, showMoney } from '@ridewatch/contract/money';
import { formatNumber } from '../../i18n/format.ts';
import styles from './day-sheet.module.css';
import { useSheetText } from './use-sheet-text.ts';

/** Shows what the day took, what the driver gets, and what is handed in. */
export function SheetMoney({ calculation }: { calculation: Calculation }) {
  const text = useSheetText();
  const { type_calculation, calculation_event, count, outside_shift, total_error } = calculation;
  const isFixed = type_calculation === 'FIXED';
  const percent = formatNumber(Number(calculation.salary_percent));
  const money = (roubles: string) => showMoney(kopecksOf(roubles));
  const rows: readonly (readonly [name: string, value: string, note?: string])[] = [
    [text.driver, calculation.driver ?? text.unknown],
    ...(isFixed
      ? [
          [text.fare, money(calculation.fare)] as const,
          [
            text.count[calculation_event],
            formatNumber(count),
            outside_shift === 0 ? undefined : text.outsideShift(outside_shift),
          ] as const,
        ]
      : [[text.fare, text.byPrices] as const]),
    [
      text.total,
      money(calculation.total) + (total_error === null ? '' : ` ± ${money(total_error)}`),
      [
        isFixed ? '' : text.byLaps,
        calculation.no_price > 0 ? text.noPrice(calculation.no_price) : '',
      ]
        .filter(Boolean)
        .join(', '),
    ],
    [text.salary(percent), money(calculation.salary)],
    [text.cashless, money(calculation.cashless)],
    [text.result, money(calculation.result)],
    [text.handedIn, calculation.handed_in === null ? text.unknown : money(calculation.handed_in)],
    [
      text.difference,
      calculation.difference === null ? '—' : showDifference(kopecksOf(calculation.difference)),
    ],
  ].map(([name = '', value = '', note]) => [name, value, note ?? ''] as const);
  return (
    <section className={styles.part}>
      <h2>{text.money}</h2>
      <dl
        className={styles.money}
        style={{ gridTemplateRows: `repeat(${Math.ceil(rows.length / 2)}, auto)` }}
      >
        {rows.map(([name, value, note]) => (
          <div key={name} data-sum={name === text.result || undefined}>
            <dt>
              {name}
              {note && <small> {note}</small>}
            </dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
