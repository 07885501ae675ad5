import type { CalculationParts } from '@ridewatch/contract/calculation';
import { hourName } from '@ridewatch/contract/hours';
import { Counts } from './lap-rows.tsx';
import { moneyText } from './money-text.ts';
import styles from './rows.module.css';
import { useCalculatorText } from './use-calculator-text.ts';

interface HourRowsProps {
  parts: CalculationParts;
  zone: string;
  fragmentOf: (hourStart: string) => number | undefined;
  onOpen: (fragmentId: number) => void;
}

/** The people of each hour. An hour with video leads to its first fragment. */
export function HourRows({ parts, zone, fragmentOf, onOpen }: HourRowsProps) {
  const text = useCalculatorText();
  const { calculation, hours } = parts;
  const hasTotals = hours.some(({ total }) => total !== null);
  const sum = (of: 'automatic' | 'corrections' | 'count') =>
    hours.reduce((all, hour) => all + hour[of], 0);
  return (
    <table className={styles.table} aria-label={text.hours}>
      <thead>
        <tr>
          <th>{text.hour}</th>
          <th data-number data-wide>
            {text.counter}
          </th>
          <th data-number data-wide>
            {text.corrections}
          </th>
          <th data-number>{text.counted[calculation.calculation_event]}</th>
          {hasTotals && <th data-number>{text.revenue}</th>}
        </tr>
      </thead>
      <tbody>
        {hours.map((hour) => {
          const name = hourName(Date.parse(hour.start_time), zone);
          const fragment = fragmentOf(hour.start_time);
          return (
            <tr key={hour.start_time}>
              <td>
                {fragment === undefined ? (
                  name
                ) : (
                  <button type="button" onClick={() => onOpen(fragment)}>
                    {name}
                  </button>
                )}
              </td>
              <Counts of={hour} />
              {hasTotals && (
                <td data-number>
                  <b>{hour.total !== null && moneyText(hour.total)}</b>
                </td>
              )}
            </tr>
          );
        })}
      </tbody>
      <tfoot>
        <tr>
          <td>{text.wholeDay}</td>
          <Counts
            of={{
              automatic: sum('automatic'),
              corrections: sum('corrections'),
              count: sum('count'),
            }}
          />
          {hasTotals && (
            <td data-number>
              <b>{moneyText(calculation.total)}</b>
            </td>
          )}
        </tr>
      </tfoot>
    </table>
  );
}
