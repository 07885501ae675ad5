import type { CalculationParts } from '@ridewatch/contract/calculation';
import { formatMoment } from '@ridewatch/contract/day';
import { formatNumber } from '../../i18n/format.ts';
import { Correction } from './lap-rows.tsx';
import styles from './rows.module.css';
import { useCalculatorText } from './use-calculator-text.ts';

interface CorrectionRowsProps {
  parts: CalculationParts;
  zone: string;
  onOpen: (fragmentId: number) => void;
}

/** The fragments with manual counts. Each opens on the count tab. */
export function CorrectionRows({ parts, zone, onOpen }: CorrectionRowsProps) {
  const text = useCalculatorText();
  const { corrections } = parts;
  return (
    <table className={styles.table} aria-label={text.corrections}>
      <thead>
        <tr>
          <th>{text.fragment}</th>
          <th data-number data-wide>
            {text.counter}
          </th>
          <th data-number>{text.corrections}</th>
          <th data-number>{text.counted[parts.calculation.calculation_event]}</th>
          <th>{text.who}</th>
        </tr>
      </thead>
      <tbody>
        {corrections.map((one) => {
          const clock = formatMoment(Date.parse(one.time), zone, 'HH:mm:ss');
          return (
            <tr key={one.segment_id} data-outside={!one.inside || undefined}>
              <td>
                <button
                  type="button"
                  aria-label={text.openFragment(clock)}
                  onClick={() => onOpen(one.segment_id)}
                >
                  {clock}
                </button>{' '}
                {one.door !== null && <small data-inline>{text.door(one.door)}</small>}{' '}
                {!one.inside && <span className={styles.tag}>{text.outsideShift}</span>}
              </td>
              <td data-number data-wide>
                {formatNumber(one.automatic)}
              </td>
              <td data-number>
                <Correction by={one.corrections} />
              </td>
              <td data-number>
                <b>{formatNumber(one.count)}</b>
              </td>
              <td>
                {one.by}{' '}
                <small data-inline>{formatMoment(Date.parse(one.at), zone, 'HH:mm')}</small>
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
