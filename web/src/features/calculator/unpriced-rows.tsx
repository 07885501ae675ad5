import type { CalculationParts } from '@ridewatch/contract/calculation';
import { Link } from '@tanstack/react-router';
import { formatNumber } from '../../i18n/format.ts';
import styles from './rows.module.css';
import { useCalculatorText } from './use-calculator-text.ts';

/** The rides without a price, with their laps. */
export function UnpricedRows({ parts }: { parts: CalculationParts }) {
  const text = useCalculatorText();
  const { calculation, laps, no_price } = parts;
  const dayOfLap = new Map(laps.map(({ lap_id, date }) => [lap_id, date]));
  return (
    <table className={styles.table} aria-label={text.noPrice}>
      <thead>
        <tr>
          <th>{text.lap}</th>
          <th>{text.from}</th>
          <th>{text.to}</th>
          <th data-number>{text.people}</th>
        </tr>
      </thead>
      <tbody>
        {no_price.map((pair) => (
          <tr key={`${pair.lap_id} ${pair.from_stop_id} ${pair.to_stop_id}`}>
            <td>
              <Link
                to="/bus/$busId/gps"
                params={{ busId: String(calculation.workplace_id) }}
                search={{
                  date: dayOfLap.get(pair.lap_id) ?? calculation.date,
                  lap: String(pair.number),
                }}
                title={text.openLap(pair.number)}
              >
                {pair.number}
              </Link>
            </td>
            <td>{pair.from_stop || text.betweenStops}</td>
            <td>{pair.to_stop || text.betweenStops}</td>
            <td data-number>
              <b>{formatNumber(pair.people)}</b>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
