import { changePassword } from '@ridewatch/contract/account';
import { type SubmitEvent, useState } from 'react';
import { useAction } from '../../calls/api.ts';
import { NewPasswordFields, useNewPassword } from '../../forms/new-password-fields.tsx';
import { PasswordField } from '../../forms/password-field.tsx';
import { useFormText } from '../../forms/use-form-text.ts';
import { useText } from '../../i18n/language.ts';
import { Button } from '../../ui/button.tsx';
import { showToast } from '../../ui/toast-store.ts';
import { useLock } from '../../ui/use-lock.ts';
import styles from './account.module.css';
import { Part } from './part.tsx';
import { isToldByField } from './proof-fields.tsx';
import { useAccountText } from './use-account-text.ts';

/** The form in which users change their own password. */
export function PasswordPart({ login }: { login: string }) {
  const { save } = useText().common;
  const text = useAccountText();
  const [oldPassword, setOld] = useState('');
  const typed = useNewPassword();
  const locked = useLock();
  const change = useAction(changePassword, {
    onSuccess: () => {
      showToast({ kind: 'done', text: text.passwordChanged });
      setOld('');
      typed.clear();
      setTried(false);
    },
  });
  const { required } = useFormText().problems;
  const [isTried, setTried] = useState(false);
  const oldMissing = oldPassword === '' ? required : undefined;
  const oldRefused = change.error?.error === 'wrong_password' ? text.wrongPassword : undefined;
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    setTried(true);
    if (oldMissing !== undefined || !typed.isGood) return;
    const body = { old_password: oldPassword, new_password: typed.password };
    change.mutate({ body, isQuiet: isToldByField });
  };
  return (
    <Part title={text.password}>
      <form onSubmit={submit} noValidate>
        <fieldset className={styles.form} disabled={locked !== undefined}>
          <input type="text" hidden autoComplete="username" value={login} readOnly />
          <PasswordField
            label={text.oldPassword}
            kind="current"
            value={oldPassword}
            onChange={setOld}
            problem={(isTried ? oldMissing : undefined) ?? oldRefused}
          />
          <NewPasswordFields
            typed={typed}
            isTried={isTried}
            isRefused={change.error?.error === 'weak_password'}
          />
          <div>
            <Button type="submit" kind="primary" isBusy={change.isPending} locked={locked}>
              {save}
            </Button>
          </div>
        </fieldset>
      </form>
    </Part>
  );
}
