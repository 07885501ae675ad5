import { drawn } from '../../ui/icons.tsx';
import { Popover } from '../../ui/popover.tsx';
import styles from './shift-picker.module.css';
import { useCalculatorText } from './use-calculator-text.ts';

const ClockIcon = drawn('M12 3a9 9 0 1 0 0 18a9 9 0 0 0 0-18M12 7v5l3 2');
const MINUTES = Array.from({ length: 12 }, (_, n) => n * 5);

/** `HH:mm`, or empty for the edge of the day. */
interface ShiftTexts {
  readonly start: string;
  readonly end: string;
}

interface ShiftPickerProps {
  texts: ShiftTexts;
  onChange: (texts: ShiftTexts) => void;
}

/** A button that opens the hours and minutes of a shift to choose from, for users who do not type them. */
export function ShiftPicker({ texts, onChange }: ShiftPickerProps) {
  const text = useCalculatorText();
  return (
    <Popover label={text.pickShift} button={<ClockIcon />} buttonClass={styles.button}>
      {() => (
        <div className={styles.panel}>
          {(['start', 'end'] as const).map((side) => (
            <TimeChoice
              key={side}
              label={text.fields[`shift_${side}`]}
              // A shift ends at 24:00 at the latest, and begins at 23:59.
              lastHour={side === 'end' ? 24 : 23}
              time={texts[side]}
              onTime={(time) => onChange({ ...texts, [side]: time })}
            />
          ))}
        </div>
      )}
    </Popover>
  );
}

interface TimeChoiceProps {
  label: string;
  lastHour: number;
  time: string;
  onTime: (time: string) => void;
}

function TimeChoice({ label, lastHour, time, onTime }: TimeChoiceProps) {
  const { pickedHours, pickedMinutes } = useCalculatorText();
  const [hour, minute] = /^\d{1,2}:\d{2}/.test(time) ? time.split(':').map(Number) : [];
  const choose = (nextHour: number, nextMinute: number) =>
    onTime(`${twoDigits(nextHour)}:${nextHour === 24 ? '00' : twoDigits(nextMinute)}`);
  return (
    <div className={styles.time}>
      <p>
        {label} <b>{time || '—'}</b>
      </p>
      <Numbers
        label={`${label}: ${pickedHours}`}
        numbers={Array.from({ length: lastHour + 1 }, (_, n) => n)}
        chosen={hour}
        onChoose={(next) => choose(next, minute ?? 0)}
      />
      <Numbers
        label={`${label}: ${pickedMinutes}`}
        numbers={MINUTES}
        chosen={minute}
        isOff={hour === undefined || hour === 24}
        onChoose={(next) => choose(hour ?? 0, next)}
      />
    </div>
  );
}

interface NumbersProps {
  label: string;
  numbers: readonly number[];
  chosen: number | undefined;
  isOff?: boolean;
  onChoose: (number: number) => void;
}

function Numbers({ label, numbers, chosen, isOff = false, onChoose }: NumbersProps) {
  return (
    <fieldset aria-label={label} disabled={isOff} className={styles.numbers}>
      {numbers.map((number) => (
        <button
          key={number}
          type="button"
          aria-pressed={number === chosen}
          onClick={() => onChoose(number)}
        >
          {twoDigits(number)}
        </button>
      ))}
    </fieldset>
  );
}

function twoDigits(number: number): string {
  return String(number).padStart(2, '0');
}
