import { kopecksOf } from '@ridewatch/contract/money';
import type { MouseEvent } from 'react';
import { formatNumber } from '../../i18n/format.ts';
import { amountText, moneyText, percentText } from './money-text.ts';
import styles from './sums.module.css';
import type { Field } from './typed-values.ts';
import type { Calculator } from './use-calculator.ts';
import { useCalculatorText } from './use-calculator-text.ts';
import type { View } from './views.ts';

interface SumsProps {
  calculator: Calculator;
  onView: (view: View) => void;
  /** Whether the result is shown elsewhere. */
  isWithoutResult?: boolean;
}

/** The figures of the day. Each opens what it is made of. */
export function Sums({ calculator, onView, isWithoutResult = false }: SumsProps) {
  const text = useCalculatorText();
  const { calculation } = calculator;
  const { type_calculation, count, fare, total_error, no_price, difference } = calculation;
  const isFixed = type_calculation === 'FIXED';
  const byPrices = calculation.pending ? text.waits : text.byPrices;
  const of = isFixed ? `${formatNumber(count)} × ${amountText(fare)}` : byPrices;
  const view = isFixed && calculator.parts.data?.laps.length === 0 ? 'hours' : 'laps';
  return (
    <div className={styles.sums}>
      <button type="button" className={styles.line} onClick={() => onView(view)}>
        <span>
          {text.total} <small>{of}</small>
        </span>
        <span>
          <b>{moneyText(calculation.total)}</b>
          {total_error !== null && <small> ±&nbsp;{moneyText(total_error)}</small>}
        </span>
      </button>
      {no_price > 0 && (
        <button
          type="button"
          className={styles.line}
          data-kind="attention"
          onClick={() => onView('noPrice')}
        >
          {text.unpriced(formatNumber(no_price))}
        </button>
      )}
      <button type="button" className={styles.line} onClick={focusField('salary_percent')}>
        <span>
          {text.minusSalary} <small>{percentText(calculation.salary_percent)}&nbsp;%</small>
        </span>
        <b>{moneyText(calculation.salary)}</b>
      </button>
      <button type="button" className={styles.line} onClick={focusField('cashless')}>
        <span>{text.minusCashless}</span>
        <b>{moneyText(calculation.cashless)}</b>
      </button>
      {!isWithoutResult && (
        <p className={styles.result}>
          <span>{text.result}</span>
          <output>{moneyText(calculation.result)}</output>
        </p>
      )}
      {difference !== null && (
        <p className={styles.difference} data-short={difference.startsWith('-') || undefined}>
          <span>{text.difference}</span>
          <b>
            {kopecksOf(difference) > 0 && '+'}
            {moneyText(difference)}
          </b>
        </p>
      )}
    </div>
  );
}

/** Leads to the value that a figure is made of. */
function focusField(field: Field) {
  return ({ currentTarget }: MouseEvent<HTMLElement>): void => {
    const dialog = currentTarget.closest('dialog, [role=dialog]');
    dialog?.querySelector<HTMLElement>(`[data-field=${field}] input`)?.focus();
  };
}
