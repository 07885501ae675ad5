import { dayOf, FALLBACK_ZONE } from '@ridewatch/contract/day';
import { useId, useState } from 'react';
import { nowMs } from '../../core/clock.ts';
import { DayField } from '../../forms/day-field.tsx';
import { TextField } from '../../forms/text-field.tsx';
import { readTypedTime } from '../../forms/typed-time.ts';
import { textsOf } from '../../i18n/texts-of.ts';
import { Button } from '../../ui/button.tsx';
import type { ControlProps } from './form-values.ts';
import styles from './moment-field.module.css';

const ru = { time: 'Время, московское', clear: 'Очистить' };
const en: typeof ru = { time: 'Time in Moscow', clear: 'Clear' };
const useMomentText = textsOf({ ru_RU: ru, en_US: en });

/**
 * A past moment in Moscow time: a day of the calendar, and a time as users type it. Its value is `2026-03-10T10:05:00`,
 * `2026-03-10T` while the time cannot be read, or empty.
 */
export function MomentField({ label, value, problem, hint, onChange }: ControlProps) {
  const text = useMomentText();
  const id = useId();
  const today = dayOf(nowMs(), FALLBACK_ZONE);
  const [day = '', time = ''] = value.split('T');
  const [typed, setTyped] = useState('');
  // A text that means another time is older than the value.
  const isCurrent = (readTypedTime(typed) ?? '') === time;
  return (
    <div className={styles.moment}>
      <DayField
        {...{ label, today }}
        last={today}
        day={day === '' ? undefined : day}
        onDay={(next) => onChange(`${next}T${time === '' ? '00:00:00' : time}`)}
      />
      <TextField
        label={text.time}
        inputMode="numeric"
        autoComplete="off"
        placeholder="00:00:00"
        maxLength={10}
        value={isCurrent && value !== '' ? typed : time}
        aria-invalid={problem ? true : undefined}
        aria-describedby={id}
        onChange={({ target }) => {
          setTyped(target.value);
          onChange(`${day === '' ? today : day}T${readTypedTime(target.value) ?? ''}`);
        }}
        onBlur={() => setTyped((now) => readTypedTime(now) ?? now)}
      />
      <p id={id} className={styles.note} data-problem={problem ? true : undefined}>
        {problem ?? hint}
      </p>
      {value !== '' && (
        <Button kind="quiet" onClick={() => onChange('')}>
          {text.clear}
        </Button>
      )}
    </div>
  );
}
