import { createApiKey } from '@ridewatch/contract/api-keys';
import { ApiScope } from '@ridewatch/contract/api-scope';
import { dayOf, FALLBACK_ZONE } from '@ridewatch/contract/day';
import { MAX_TEXT_LENGTH } from '@ridewatch/contract/primitives';
import { type SubmitEvent, useState } from 'react';
import { useKeyText } from '../../api-keys/use-key-text.ts';
import { useAction } from '../../calls/api.ts';
import { useSingle } from '../../calls/use-single.ts';
import type { ApiError } from '../../core/api-error.ts';
import { nowMs } from '../../core/clock.ts';
import { DayField } from '../../forms/day-field.tsx';
import { fieldProblem } from '../../forms/field-problem.ts';
import { TextField } from '../../forms/text-field.tsx';
import { useFormText } from '../../forms/use-form-text.ts';
import { useText } from '../../i18n/language.ts';
import { Button } from '../../ui/button.tsx';
import styles from './account.module.css';

interface NewKeyProps {
  clientId: number;
  onMade: (secret: string) => void;
  onCancel: () => void;
}

/** The form of a new API key. */
export function NewKey({ clientId, onMade, onCancel }: NewKeyProps) {
  const text = useKeyText();
  const { problems } = useFormText();
  const { cancel } = useText().common;
  const [name, setName] = useState('');
  const [scopes, setScopes] = useState<readonly ApiScope[]>([]);
  const [lastDay, setLastDay] = useState<string>();
  const [isTried, setTried] = useState(false);
  const make = useSingle(useAction(createApiKey, { onSuccess: ({ secret }) => onMade(secret) }));
  const nameProblem = fieldProblem(
    name,
    { isRequired: true, mostLength: MAX_TEXT_LENGTH },
    problems,
  );
  const toggle = (scope: ApiScope) =>
    setScopes(ApiScope.options.filter((one) => (one === scope) !== scopes.includes(one)));
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    setTried(true);
    if (nameProblem !== undefined || scopes.length === 0) return;
    const body = { client_id: clientId, name: name.trim(), scopes: [...scopes] };
    make.mutate({ body: { ...body, last_day: lastDay ?? null } });
  };
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <TextField
        label={text.name}
        autoComplete="off"
        value={name}
        onChange={(event) => setName(event.target.value)}
        problem={
          (isTried ? nameProblem : undefined) ?? problemOf(make.error, 'client_id', text.tooMany)
        }
      />
      <fieldset className={styles.scopes}>
        <legend>{text.scopesLabel}</legend>
        {ApiScope.options.map((scope) => (
          <label key={scope}>
            <input
              type="checkbox"
              checked={scopes.includes(scope)}
              onChange={() => toggle(scope)}
            />
            {text.scopes[scope]}
          </label>
        ))}
        {isTried && scopes.length === 0 && (
          <p role="alert" className={styles.problem}>
            {text.noScope}
          </p>
        )}
      </fieldset>
      <div className={styles.actions}>
        <DayField
          label={text.lastDay}
          day={lastDay}
          today={dayOf(nowMs(), FALLBACK_ZONE)}
          onDay={setLastDay}
          problem={problemOf(make.error, 'last_day', text.passed)}
        />
        {lastDay !== undefined && (
          <Button kind="quiet" onClick={() => setLastDay(undefined)}>
            {text.clearLastDay}
          </Button>
        )}
      </div>
      <div className={styles.actions}>
        <Button type="submit" kind="primary" isBusy={make.isPending}>
          {text.create}
        </Button>
        <Button onClick={onCancel}>{cancel}</Button>
      </div>
    </form>
  );
}

const problemOf = (error: ApiError | null, field: string, said: string) =>
  error?.field === field ? said : undefined;
