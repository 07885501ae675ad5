import type { CalculationEvent } from '@ridewatch/contract/day-calculation';
import { useId } from 'react';
import { useDraft } from '../../edits/use-edits.ts';
import { useFormText } from '../../forms/use-form-text.ts';
import { formatNumber } from '../../i18n/format.ts';
import { Choice } from '../../ui/choice.tsx';
import { FieldNote } from './field-note.tsx';
import { ShiftPicker } from './shift-picker.tsx';
import {
  eventTyped,
  type Field,
  isSameTyped,
  type Problems,
  readShift,
  readTyped,
  type Typed,
  typedOf,
} from './typed-values.ts';
import type { Calculator } from './use-calculator.ts';
import { useCalculatorText } from './use-calculator-text.ts';
import styles from './value-fields.module.css';

/** The draft of a field, what it shows, and its note. */
function useField(calculator: Calculator, field: Field, show: (value: Typed) => string) {
  const { calculation, zone, edits, others } = calculator;
  const id = useId();
  const draft = useDraft(edits, field);
  const stored = typedOf(field, calculation, zone);
  const type = (value: Typed) => edits.type([{ key: field, value, stored }]);
  const note = (
    <FieldNote
      id={`${id}-note`}
      draft={draft}
      other={others.get(field)}
      by={calculation.updated_by}
      zone={zone}
      show={show}
      onTake={() => edits.drop(field)}
      onKeep={() => {
        // The same value over the one that the user has now seen.
        if (draft) type({ ...draft.value });
        edits.flush(field);
      }}
    />
  );
  // The cache notifies later than the draft is saved.
  const isShown = draft?.state === 'saved' && isSameTyped(draft.value, stored);
  const shown = draft === undefined || isShown ? stored : draft.value;
  // Its note takes the place of a hint.
  const isWrong = draft?.state === 'invalid' || draft?.state === 'failed';
  const keys = (event: { key: string; stopPropagation: () => void }) => {
    if (event.key === 'Enter') edits.flush(field);
    if (event.key === 'Escape' && draft && draft.state !== 'saved') {
      event.stopPropagation();
      edits.drop(field);
    }
  };
  return { id, draft, stored, shown, type, note, isWrong, keys };
}

function useProblems(): Problems {
  const { problems } = useFormText();
  const { decimals, shiftOrder } = useCalculatorText();
  return { ...problems, decimals, shiftOrder };
}

interface LineFieldProps {
  calculator: Calculator;
  field: 'fare' | 'salary_percent' | 'cashless' | 'driver' | 'handed_in';
  unit?: string;
  hint?: string | undefined;
}

/** A field of one line. */
export function LineField({ calculator, field, unit, hint }: LineFieldProps) {
  const text = useCalculatorText();
  const problems = useProblems();
  const withUnit = (value: Typed) =>
    value.text && unit ? `${value.text}\u00a0${unit}` : value.text;
  const { id, draft, shown, type, note, isWrong, keys } = useField(calculator, field, withUnit);
  return (
    <div className={styles.row} data-field={field}>
      <label htmlFor={id}>{text.fields[field]}</label>
      <div className={styles.value}>
        <span className={styles.box} data-state={draft?.state}>
          <input
            id={id}
            value={shown.text}
            inputMode={field === 'driver' ? 'text' : 'decimal'}
            autoComplete="off"
            placeholder={field === 'driver' || field === 'handed_in' ? '—' : undefined}
            aria-invalid={isWrong || undefined}
            aria-describedby={`${id}-note`}
            onChange={(event) => type(readTyped(field, event.target.value, problems))}
            onFocus={(event) => event.target.select()}
            onKeyDown={keys}
          />
          {unit && <i aria-hidden="true">{unit}</i>}
        </span>
        {note}
        {hint && !isWrong && <p className={styles.hint}>{hint}</p>}
      </div>
    </div>
  );
}

/** The start and the end of the shift. */
export function ShiftField({ calculator }: { calculator: Calculator }) {
  const text = useCalculatorText();
  const problems = useProblems();
  const { calculation, zone } = calculator;
  const range = (value: Typed) => `${value.text || '00:00'}–${value.end || '24:00'}`;
  const { id, draft, stored, shown, type, note, isWrong, keys } = useField(
    calculator,
    'shift',
    range,
  );
  const change = (texts: { start: string; end: string }) =>
    type(readShift(texts, stored, { date: calculation.date, zone }, problems));
  const texts = { start: shown.text, end: shown.end ?? '' };
  const input = (side: 'start' | 'end') => (
    <input
      id={side === 'start' ? id : undefined}
      aria-label={text.fields[`shift_${side}`]}
      value={texts[side]}
      inputMode="numeric"
      autoComplete="off"
      maxLength={8}
      placeholder={side === 'start' ? '00:00' : '24:00'}
      aria-invalid={isWrong || undefined}
      aria-describedby={`${id}-note`}
      onChange={(event) => change({ ...texts, [side]: event.target.value })}
      onFocus={(event) => event.target.select()}
      onKeyDown={keys}
    />
  );
  return (
    <div className={styles.row} data-field="shift">
      <label htmlFor={id}>{text.fields.shift}</label>
      <div className={styles.value}>
        <span className={styles.box} data-state={draft?.state} data-pair>
          {input('start')}
          <span aria-hidden="true">–</span>
          {input('end')}
          <ShiftPicker texts={texts} onChange={change} />
        </span>
        {note}
        {calculation.outside_shift !== 0 && !isWrong && (
          <p className={styles.hint}>{text.outside(formatNumber(calculation.outside_shift))}</p>
        )}
      </div>
    </div>
  );
}

interface EventFieldProps {
  calculator: Calculator;
  /** How many people each event has. */
  counts?: Readonly<Record<CalculationEvent, number>> | undefined;
}

/** Chooses the passengers whose number the fare multiplies. */
export function EventField({ calculator, counts }: EventFieldProps) {
  const text = useCalculatorText();
  const { edits } = calculator;
  const { shown, type, note } = useField(
    calculator,
    'calculation_event',
    (value) => text.events[eventOf(value)],
  );
  const option = (value: CalculationEvent) => {
    const count = counts?.[value];
    const name = text.events[value];
    return { value, label: count === undefined ? name : `${name} · ${formatNumber(count)}` };
  };
  return (
    <div className={styles.row} data-field="calculation_event">
      <span aria-hidden="true">{text.fields.calculation_event}</span>
      <div className={styles.value}>
        <Choice
          label={text.fields.calculation_event}
          value={eventOf(shown)}
          options={[option('ENTERED'), option('EXITED')]}
          onChange={(event) => {
            type(eventTyped(event));
            edits.flush('calculation_event');
          }}
        />
        {note}
      </div>
    </div>
  );
}

function eventOf({ sent }: Typed): CalculationEvent {
  return sent.calculation_event ?? 'ENTERED';
}
