import { beginSecondFactor, confirmSecondFactor } from '@ridewatch/contract/second-factor';
import { type SubmitEvent, useEffect, useRef, useState } from 'react';
import { useAction } from '../../calls/api.ts';
import { useSingle } from '../../calls/use-single.ts';
import { useFormText } from '../../forms/use-form-text.ts';
import { useText } from '../../i18n/language.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { isByKey } from '../../ui/last-input.ts';
import styles from './account.module.css';
import { CodeField, isToldByField, OwnPasswordField } from './proof-fields.tsx';
import { QrCode } from './qr-code.tsx';
import { useAccountText } from './use-account-text.ts';

interface SetUpProps {
  onDone: (codes: readonly string[]) => void;
  /** The words of the button that ends it; 'Cancel' unless given. */
  cancelText?: string;
  onCancel: () => void;
}

/** Turns the second factor on: the password, then the secret for the app, confirmed by a code of it. */
export function SetUp({ onDone, cancelText, onCancel }: SetUpProps) {
  const { factor: text } = useAccountText();
  const { cancel } = useText().common;
  const { required } = useFormText().problems;
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [isTried, setTried] = useState(false);
  const begin = useSingle(useAction(beginSecondFactor, { onSuccess: () => setTried(false) }));
  const confirm = useSingle(
    useAction(confirmSecondFactor, {
      onSuccess: ({ recovery_codes: codes }) => onDone(codes),
    }),
  );
  const made = begin.data;
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    const { activeElement } = document;
    // The password's field is gone; elsewhere the user has gone on.
    const isHere = activeElement === document.body || form.current?.contains(activeElement);
    if (made && isHere && isByKey()) form.current?.querySelector('input')?.focus();
  }, [made]);
  const missing = (value: string) => (isTried && value === '' ? required : undefined);
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    setTried(true);
    if (made === undefined && password !== '')
      begin.mutate({ body: { password }, isQuiet: isToldByField });
    if (made !== undefined && code !== '')
      confirm.mutate({ body: { code }, isQuiet: isToldByField });
  };
  return (
    <form ref={form} className={made ? styles.step : styles.form} onSubmit={submit} noValidate>
      {made === undefined ? (
        <>
          <p>{text.beginText}</p>
          <OwnPasswordField
            value={password}
            onChange={setPassword}
            missing={missing(password)}
            error={begin.error}
          />
        </>
      ) : (
        <div className={styles['set-up']}>
          <QrCode value={made.address} label={text.qr} />
          <div className={styles.form}>
            <p>{text.scan}</p>
            <div>
              <p className={styles.note}>{text.typed}</p>
              <p className={styles.secret}>
                <code>{made.secret.replace(/.{4}(?=.)/g, '$& ')}</code>
                <CopyButton value={made.secret} />
              </p>
            </div>
            <CodeField
              isOfApp
              value={code}
              onChange={setCode}
              missing={missing(code)}
              error={confirm.error}
            />
          </div>
        </div>
      )}
      <div className={styles.actions}>
        <Button type="submit" kind="primary" isBusy={begin.isPending || confirm.isPending}>
          {made === undefined ? text.next : text.confirm}
        </Button>
        <Button onClick={onCancel}>{cancelText ?? cancel}</Button>
      </div>
    </form>
  );
}
