import { type GroupCalculation, setGroupCalculation } from '@ridewatch/contract/calculation';
import type { Calculation, CalculationEvent } from '@ridewatch/contract/day-calculation';
import { listDayFragments } from '@ridewatch/contract/fragments';
import { useState } from 'react';
import { queryClient, useAction } from '../../calls/api.ts';
import { ApiError } from '../../core/api-error.ts';
import { DayField } from '../../forms/day-field.tsx';
import { Modal } from '../../forms/modal.tsx';
import { TextField } from '../../forms/text-field.tsx';
import { useFormText } from '../../forms/use-form-text.ts';
import { errorText } from '../../i18n/error-texts.ts';
import { formatDay } from '../../i18n/format.ts';
import { Button } from '../../ui/button.tsx';
import { Choice } from '../../ui/choice.tsx';
import { showToast } from '../../ui/toast-store.ts';
import { refreshCalculated } from './cached-calculation.ts';
import styles from './group-dialog.module.css';
import { moneyText } from './money-text.ts';
import { readTyped } from './typed-values.ts';
import { useCalculatorText } from './use-calculator-text.ts';

interface GroupDialogProps {
  route: { id: number; name: string };
  calculation: Calculation;
  today: string;
  onClose: () => void;
}

/** Sets fare, percent and event of all buses of a route from a day on, after a preview of what would change. */
export function GroupDialog({ route, calculation, today, onClose }: GroupDialogProps) {
  const text = useCalculatorText();
  const { problems: common } = useFormText();
  const problems = { ...common, decimals: text.decimals, shiftOrder: text.shiftOrder };
  const [from, setFrom] = useState(calculation.date);
  const [fare, setFare] = useState('');
  const [percent, setPercent] = useState('');
  const [event, setEvent] = useState<CalculationEvent | ''>('');
  const [isOtherNow, setOtherNow] = useState(false);
  const look = useAction(setGroupCalculation);
  const make = useAction(setGroupCalculation);
  const typedFare = fare.trim() === '' ? undefined : readTyped('fare', fare, problems);
  const typedPercent =
    percent.trim() === '' ? undefined : readTyped('salary_percent', percent, problems);
  const isEmpty = !typedFare && !typedPercent && event === '';
  const isWrong = typedFare?.problem !== undefined || typedPercent?.problem !== undefined;
  const body = {
    group_id: route.id,
    date_from: from,
    ...(typedFare?.sent.fare !== undefined && { fare: typedFare.sent.fare }),
    ...(typedPercent?.sent.salary_percent !== undefined && {
      salary_percent: typedPercent.sent.salary_percent,
    }),
    ...(event !== '' && { calculation_event: event }),
  };
  // A preview belongs to the values with which it was made.
  const forget = () => {
    setOtherNow(false);
    look.reset();
    make.reset();
  };
  const set = (seen: GroupCalculation) =>
    make.mutate(
      { body: { ...body, preview: false, seen_days: seen.days }, isQuiet: isConflict },
      {
        onSuccess: () => {
          void queryClient.invalidateQueries({ queryKey: [listDayFragments.path] });
          refreshCalculated(calculation, false);
          showToast({ kind: 'done', text: text.isSet });
          onClose();
        },
        onError: (error) => {
          if (!isConflict(error)) return;
          setOtherNow(true);
          look.mutate({ body: { ...body, preview: true } });
        },
      },
    );
  const failure = look.error ?? (make.error && !isConflict(make.error) ? make.error : null);
  const seen = look.data;
  return (
    <Modal title={text.groupTitle(route.name)} onClose={onClose}>
      <form
        className={styles.form}
        onSubmit={(submitted) => {
          submitted.preventDefault();
          forget();
          if (!isEmpty && !isWrong) look.mutate({ body: { ...body, preview: true } });
        }}
      >
        <p className={styles.hint}>{text.groupHint}</p>
        <DayField
          label={text.groupFrom}
          day={from}
          today={today}
          onDay={(day) => {
            setFrom(day);
            forget();
          }}
        />
        <div className={styles.pair}>
          <TextField
            label={`${text.fields.fare}, ₽`}
            value={fare}
            inputMode="decimal"
            placeholder={text.unchanged}
            problem={typedFare?.problem}
            onChange={({ target }) => {
              setFare(target.value);
              forget();
            }}
          />
          <TextField
            label={`${text.fields.salary_percent}, %`}
            value={percent}
            inputMode="decimal"
            placeholder={text.unchanged}
            problem={typedPercent?.problem}
            onChange={({ target }) => {
              setPercent(target.value);
              forget();
            }}
          />
        </div>
        <div className={styles.labelled}>
          <span aria-hidden="true">{text.fields.calculation_event}</span>
          <Choice
            label={text.fields.calculation_event}
            value={event}
            options={[
              { value: '', label: text.unchanged },
              { value: 'ENTERED', label: text.events.ENTERED },
              { value: 'EXITED', label: text.events.EXITED },
            ]}
            onChange={(next) => {
              setEvent(next);
              forget();
            }}
          />
        </div>
        {isOtherNow && seen && (
          <p role="alert" className={styles.attention}>
            {text.otherNow}
          </p>
        )}
        {seen && <Preview of={seen} />}
        {failure && (
          <p role="alert" className={styles.problem}>
            {failure.status === 0
              ? text.notSaved
              : errorText({ error: failure.error, message: failure.message })}
          </p>
        )}
        <div className={styles.actions}>
          <Button
            type="submit"
            kind={seen && changes(seen) ? 'plain' : 'primary'}
            isBusy={look.isPending}
            disabled={isEmpty || isWrong || make.isPending}
            title={isEmpty ? text.chooseSomething : undefined}
          >
            {text.preview}
          </Button>
          {seen && changes(seen) && (
            <Button kind="primary" isBusy={make.isPending} onClick={() => set(seen)}>
              {seen.days > 0 ? text.set(text.days(seen.days)) : text.setLater}
            </Button>
          )}
        </div>
      </form>
    </Modal>
  );
}

/** Whether a command changes anything: days with records, or what later days copy. */
const changes = ({ days, later_buses }: GroupCalculation): boolean => days + later_buses > 0;

const isConflict = (error: unknown): boolean => error instanceof ApiError && error.status === 409;

function Preview({ of }: { of: GroupCalculation }) {
  const text = useCalculatorText();
  const { days, buses, first_day, last_day, recalculated_days } = of;
  if (days === 0) {
    return <p role="status">{changes(of) ? text.onlyLater : text.nothingToSet}</p>;
  }
  return (
    <div role="status" className={styles.preview}>
      <p>
        {text.days(days)}, {text.buses(buses)}
        {first_day !== null && last_day !== null && (
          <small>
            {formatDay(first_day)}
            {last_day !== first_day && ` – ${formatDay(last_day)}`}
          </small>
        )}
      </p>
      <dl>
        <dt>{text.revenue}</dt>
        <dd>
          <s>{moneyText(of.total_before)}</s> → <b>{moneyText(of.total_after)}</b>
        </dd>
        <dt>{text.salary}</dt>
        <dd>
          <s>{moneyText(of.salary_before)}</s> → <b>{moneyText(of.salary_after)}</b>
        </dd>
      </dl>
      {recalculated_days > 0 && <p>{text.recalculated(text.days(recalculated_days))}</p>}
    </div>
  );
}
