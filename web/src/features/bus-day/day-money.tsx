import type { Calculation } from '@ridewatch/contract/day-calculation';
import type { DayFragments } from '@ridewatch/contract/fragments';
import { useAddress } from '../../bus-page/use-address.ts';
import { moneyText } from '../../calculator/money-text.ts';
import { lazyComponent } from '../../lazy-component.tsx';
import { DownIcon } from '../../ui/icons.tsx';
import type { CountAddress } from './address.ts';
import styles from './day-money.module.css';
import { useDayText } from './use-day-text.ts';

const Calculator = lazyComponent(
  async () => (await import('../../calculator/calculator.tsx')).Calculator,
);

interface DayMoneyProps {
  day: DayFragments;
  calculation: Calculation;
}

/** What the day earned, and the button of the calculator. */
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
        onClick={() => (view ? close() : go({ money: 'laps' }))}
      >
        {(['fare', 'cashless', 'total', 'salary', 'result'] as const).map((figure) => (
          <span key={figure} data-money={figure}>
            <small>{text.money[figure]}</small>
            <b>{moneyText(calculation[figure])}</b>
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
