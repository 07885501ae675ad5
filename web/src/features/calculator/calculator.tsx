import type { Calculation, CalculationEvent } from '@ridewatch/contract/day-calculation';
import type { DayFragments } from '@ridewatch/contract/fragments';
import { hourEndOf } from '@ridewatch/contract/hours';
import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { formatDay } from '../../i18n/format.ts';
import { useText } from '../../i18n/language.ts';
import { useIsPhone } from '../../ui/breakpoints.ts';
import { IconButton } from '../../ui/button.tsx';
import { CloseIcon } from '../../ui/icons.tsx';
import { OverPage } from '../../ui/over-page.tsx';
import { useLock } from '../../ui/use-lock.ts';
import { useReturnedFocus } from '../../ui/use-returned-focus.ts';
import styles from './calculator.module.css';
import { CalculatorActions } from './calculator-actions.tsx';
import { History } from './history.tsx';
import { moneyText } from './money-text.ts';
import { Sources } from './sources.tsx';
import { Sums } from './sums.tsx';
import { type Calculator as CalculatorState, useCalculator } from './use-calculator.ts';
import { useCalculatorText } from './use-calculator-text.ts';
import { EventField, LineField, ShiftField } from './value-fields.tsx';
import { type View, viewIn } from './views.ts';

interface CalculatorProps {
  day: DayFragments;
  calculation: Calculation;
  /** As the address names it. */
  view: string;
  onView: (view: View) => void;
  /** Closes the calculator and opens a fragment. */
  onFragment: (fragmentId: number) => void;
  /** Closes the calculator and shows the fragments with corrections. */
  onList: () => void;
  onClose: () => void;
}

/** The calculator of a bus's day: below the strip of a desktop, over the page of a phone. */
export function Calculator(props: CalculatorProps) {
  const { day, onView, onClose } = props;
  const view = viewIn(props.view);
  const isPhone = useIsPhone();
  const text = useCalculatorText();
  const calculator = useCalculator(props.calculation, day.timezone);
  const { calculation } = calculator;
  const history = (
    <History
      calculation={calculation}
      zone={day.timezone}
      counted={calculator.parts.data?.corrections.map(({ at }) => at).join(' ')}
      onFragment={props.onFragment}
      hasHeading={!isPhone}
    />
  );
  const sources = (
    <Sources
      calculator={calculator}
      view={view}
      onView={onView}
      onFragment={props.onFragment}
      fragmentOf={(hourStart) => firstFragment(day, Date.parse(hourStart))}
      onList={props.onList}
      history={isPhone ? history : undefined}
    />
  );
  if (isPhone) {
    return (
      <OverPage label={text.title} look={styles.sheet} onClose={onClose}>
        <PhoneHead calculation={calculation} onClose={onClose} />
        <div className={styles.body}>
          <Values
            calculator={calculator}
            counts={{
              ENTERED: day.totalEnteredManual,
              EXITED: day.totalExitedManual,
              // It may be newer than the day.
              [calculation.calculation_event]: calculation.count,
            }}
          />
          <Sums calculator={calculator} onView={onView} isWithoutResult />
          {sources}
          <CalculatorActions calculator={calculator} />
        </div>
      </OverPage>
    );
  }
  return (
    <DesktopPanel label={text.title} onClose={onClose}>
      <div className={styles.values}>
        <h2>{text.title}</h2>
        <div className={styles.scrolled}>
          <Values calculator={calculator} />
        </div>
        <Sums calculator={calculator} onView={onView} />
        <CalculatorActions calculator={calculator} />
      </div>
      {sources}
      {history}
    </DesktopPanel>
  );
}

interface DesktopPanelProps {
  label: string;
  onClose: () => void;
  children: ReactNode;
}

/** A dialog over the page that leaves the strip above it usable. Esc closes it. */
function DesktopPanel({ label, onClose, children }: DesktopPanelProps) {
  const panel = useRef<HTMLDivElement>(null);
  useReturnedFocus(panel);
  // With the panel itself: an Esc that comes at once belongs to it.
  useLayoutEffect(() => panel.current?.focus(), []);
  return (
    <div
      ref={panel}
      role="dialog"
      aria-label={label}
      tabIndex={-1}
      className={styles.panel}
      onKeyDown={(event) => {
        // React passes on keys from a dialog that the panel has opened; it is elsewhere in the page.
        const isWithin = event.target instanceof Node && panel.current?.contains(event.target);
        // A popover is there only while it is open, and Esc closes it first.
        const isOfPopover = panel.current?.querySelector('[popover]') !== null;
        if (event.key === 'Escape' && isWithin && !isOfPopover) onClose();
      }}
    >
      {children}
    </div>
  );
}

function PhoneHead({ calculation, onClose }: { calculation: Calculation; onClose: () => void }) {
  const text = useCalculatorText();
  const { close } = useText().common;
  return (
    <header className={styles.head}>
      <p>
        <span>{text.resultOf(formatDay(calculation.date))}</span>
        <output>{moneyText(calculation.result)}</output>
      </p>
      <IconButton label={close} onClick={onClose}>
        <CloseIcon />
      </IconButton>
    </header>
  );
}

interface ValuesProps {
  calculator: CalculatorState;
  /** People by event, where there is room for them. */
  counts?: Readonly<Record<CalculationEvent, number>>;
}

/** All fields. */
function Values({ calculator, counts }: ValuesProps) {
  const text = useCalculatorText();
  const locked = useLock();
  const { stored, copied_from, type_calculation } = calculator.calculation;
  return (
    <fieldset className={styles.fields} disabled={locked !== undefined} title={locked}>
      {!stored && (
        <p className={styles.unstored}>
          {copied_from === null ? text.unstoredEmpty : text.unstored(formatDay(copied_from))}
        </p>
      )}
      <LineField
        calculator={calculator}
        field="fare"
        unit="₽"
        hint={type_calculation === 'CALCULATION' ? text.fareUnused : undefined}
      />
      <LineField calculator={calculator} field="salary_percent" unit="%" />
      <LineField calculator={calculator} field="cashless" unit="₽" />
      <ShiftField calculator={calculator} />
      <EventField calculator={calculator} counts={counts} />
      <LineField calculator={calculator} field="driver" />
      <LineField calculator={calculator} field="handed_in" unit="₽" />
    </fieldset>
  );
}

/** The first fragment that starts in an hour. */
function firstFragment({ segments, timezone }: DayFragments, hourMs: number): number | undefined {
  const endMs = hourEndOf(hourMs, timezone);
  return segments.find(({ start_time }) => {
    const ms = Date.parse(start_time);
    return ms >= hourMs && ms < endMs;
  })?.id;
}
