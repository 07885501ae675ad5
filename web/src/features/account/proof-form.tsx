import { removeSecondFactor, renewRecoveryCodes } from '@ridewatch/contract/second-factor';
import { type SubmitEvent, useState } from 'react';
import { useAction } from '../../calls/api.ts';
import { useSingle } from '../../calls/use-single.ts';
import { useFormText } from '../../forms/use-form-text.ts';
import { useText } from '../../i18n/language.ts';
import { Button } from '../../ui/button.tsx';
import { showToast } from '../../ui/toast-store.ts';
import styles from './account.module.css';
import { CodeField, isToldByField, OwnPasswordField } from './proof-fields.tsx';
import { useAccountText } from './use-account-text.ts';

interface ProofFormProps {
  what: 'renew' | 'remove';
  onCodes: (codes: readonly string[]) => void;
  onRemoved: () => void;
  onCancel: () => void;
}

/** Asks for password and code, and makes new recovery codes or turns the second factor off. */
export function ProofForm({ what, onCodes, onRemoved, onCancel }: ProofFormProps) {
  const { factor: text } = useAccountText();
  const { cancel } = useText().common;
  const { required } = useFormText().problems;
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [isTried, setTried] = useState(false);
  const renew = useSingle(
    useAction(renewRecoveryCodes, {
      onSuccess: ({ recovery_codes: codes }) => onCodes(codes),
    }),
  );
  const remove = useSingle(
    useAction(removeSecondFactor, {
      onSuccess: () => {
        showToast({ kind: 'done', text: text.removed });
        onRemoved();
      },
    }),
  );
  const { error, isPending, mutate } = what === 'renew' ? renew : remove;
  const missing = (value: string) => (isTried && value === '' ? required : undefined);
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    setTried(true);
    if (password !== '' && code !== '')
      mutate({ body: { password, code }, isQuiet: isToldByField });
  };
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <p>{what === 'renew' ? text.renewText : text.removeText}</p>
      <OwnPasswordField
        value={password}
        onChange={setPassword}
        missing={missing(password)}
        error={error}
      />
      <CodeField value={code} onChange={setCode} missing={missing(code)} error={error} />
      <div className={styles.actions}>
        <Button type="submit" kind={what === 'renew' ? 'primary' : 'danger'} isBusy={isPending}>
          {text[what]}
        </Button>
        <Button onClick={onCancel}>{cancel}</Button>
      </div>
    </form>
  );
}
