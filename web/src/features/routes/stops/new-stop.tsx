import type { RouteDirection } from '@ridewatch/contract/laps';
import { MAX_TEXT_LENGTH } from '@ridewatch/contract/primitives';
import type { RouteStop, StopEdit } from '@ridewatch/contract/routes';
import { type SubmitEvent, useState } from 'react';
import { useEditText } from '../../../edits/use-edit-text.ts';
import { fieldProblem } from '../../../forms/field-problem.ts';
import { TextField } from '../../../forms/text-field.tsx';
import { useFormText } from '../../../forms/use-form-text.ts';
import { useText } from '../../../i18n/language.ts';
import { Button } from '../../../ui/button.tsx';
import { Choice } from '../../../ui/choice.tsx';
import { readPlace } from '../place-text.ts';
import { stopsOf } from '../stop-order.ts';
import { useRouteText } from '../use-route-text.ts';
import styles from './new-stop.module.css';
import type { Added } from './use-stop-edits.ts';

/** The input for a new stop. */
export interface StopDraft {
  readonly name: string;
  /** As typed, or as clicked on the map. */
  readonly place: string;
  readonly routeDirection: RouteDirection;
  readonly orderKey: number;
}

interface NewStopProps {
  draft: StopDraft;
  stops: readonly RouteStop[];
  onDraft: (draft: StopDraft) => void;
  onAdd: (stop: StopEdit) => Promise<Added>;
  /** Called when the stop was added, or with no id when the user cancels. */
  onDone: (id?: number) => void;
}

/** The form for a new stop; its place comes from the map or the keyboard. */
export function NewStop({ draft, stops, onDraft, onAdd, onDone }: NewStopProps) {
  const text = useRouteText();
  const common = useText().common;
  const { notSaved } = useEditText();
  const { problems } = useFormText();
  const [isChecked, setChecked] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Exclude<Added, { id: unknown }>>();
  const name = draft.name.trim();
  const nameProblem = fieldProblem(
    name,
    { isRequired: true, mostLength: MAX_TEXT_LENGTH },
    problems,
  );
  const place = readPlace(draft.place);
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    setChecked(true);
    if (nameProblem !== undefined || !place) return;
    setBusy(true);
    const { routeDirection, orderKey } = draft;
    const answer = await onAdd({ name, ...place, routeDirection, orderKey });
    setBusy(false);
    if ('problem' in answer) setFailure(answer);
    else onDone(answer.id);
  };
  return (
    <form
      className={styles.form}
      aria-label={text.newStop}
      onSubmit={(event) => void submit(event)}
    >
      <h4>{text.newStop}</h4>
      <TextField
        label={text.stopName}
        autoFocus
        value={draft.name}
        problem={isChecked ? nameProblem : undefined}
        onChange={(event) => onDraft({ ...draft, name: event.target.value })}
      />
      <TextField
        label={text.stopPlace}
        hint={text.pickHint}
        value={draft.place}
        problem={isChecked && !place ? text.badPlace : undefined}
        onChange={(event) => onDraft({ ...draft, place: event.target.value })}
      />
      <Choice
        label={text.direction}
        value={draft.routeDirection}
        options={[
          { value: 'FORWARD', label: text.directions.FORWARD },
          { value: 'REVERSE', label: text.directions.REVERSE },
        ]}
        onChange={(routeDirection) =>
          onDraft({ ...draft, routeDirection, orderKey: stopsOf(stops, routeDirection).length })
        }
      />
      {failure && (
        <p role="alert" className={styles.problem}>
          {notSaved}: {failure.problem}
        </p>
      )}
      <div className={styles.actions}>
        <Button type="submit" kind="primary" isBusy={isBusy}>
          {failure?.isUnanswered ? common.retry : text.add}
        </Button>
        <Button onClick={() => onDone()}>{common.cancel}</Button>
      </div>
    </form>
  );
}
