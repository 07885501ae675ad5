import type { Calculation } from '@ridewatch/contract/day-calculation';
import type { DayFragments } from '@ridewatch/contract/fragments';
import { lazyComponent } from '../../core/lazy-component.tsx';
import { useAddress } from '../../page/use-address.ts';
import { DownIcon } from '../../ui/icons.tsx';
import { moneyText, percentText } from '../calculator/money-text.ts';
import { boundText } from '../calculator/shift-text.ts';
import type { CountAddress } from './address.ts';
import styles from './day-money.module.css';
import type { DayTexts } from './texts-ru.ts';
import { useDayText } from './use-day-text.ts';

const Calculator = lazyComponent(
  async () => (await import('../calculator/calculator.tsx')).Calculator,
);

interface DayMoneyProps {
  day: DayFragments;
  calculation: Calculation;
}

/** Shows what the day earned, and the button of the calculator. */
export function DayMoney({ day, calculation }: DayMoneyProps) {
  const text = useDayText();
  const { search, go } = useAddress<CountAddress>();
  const view = search.money;
  const close = () => go({ money: undefined });
  return (
    <>
      <button
        type="button"
        className={styles.money}
        aria-expanded={view !== undefined}
        data-cut={isCut(calculation) || undefined}
        data-pending={calculation.pending || undefined}
        onClick={() => (view ? close() : go({ money: 'laps' }))}
      >
        {figuresOf(calculation, day.timezone, text).map(([figure, value, note]) => (
          <span key={figure} data-money={figure}>
            <small>
              {figure === 'total' && calculation.pending ? text.moneyWaits : text.money[figure]}
              {note && <i> {note}</i>}
            </small>
            <b>{value}</b>
          </span>
        ))}
        <DownIcon />
      </button>
      {view && (
        <Calculator
          day={day}
          calculation={calculation}
          view={view}
          onView={(next) => go({ money: next })}
          onFragment={(id) => go({ money: undefined, fragment: String(id) })}
          onList={() => go({ money: undefined, show: 'differs' })}
          onClose={close}
        />
      )}
    </>
  );
}

type Figure = readonly [name: keyof DayTexts['money'], value: string, note?: string];

function figuresOf(calculation: Calculation, zone: string, text: DayTexts): Figure[] {
  const { date, type_calculation, fare, cashless, shift_start, shift_end } = calculation;
  const { total, salary, result } = calculation;
  const [start, end] = [shift_start, shift_end].map((bound) => boundText(bound, date, zone));
  return [
    ['fare', type_calculation === 'FIXED' ? moneyText(fare) : text.byPrices],
    ['cashless', moneyText(cashless)],
    ...(isCut(calculation) ? [['shift', `${start || '00:00'}–${end || '24:00'}`] as const] : []),
    ['event', text.events[calculation.calculation_event]],
    ['total', moneyText(total)],
    ['salary', moneyText(salary), `${percentText(calculation.salary_percent)}\u00a0%`],
    ['result', moneyText(result)],
  ];
}

/** Whether a shift leaves out a part of the day. */
function isCut({ shift_start, shift_end }: Calculation): boolean {
  return shift_start !== null || shift_end !== null;
}
