import { changePassword } from '@ridewatch/contract/account';
import { type SubmitEvent, useState } from 'react';
import { useAction } from '../../calls/api.ts';
import { newPasswordProblem } from '../../forms/new-password.ts';
import { PasswordField } from '../../forms/password-field.tsx';
import { useFormText } from '../../forms/use-form-text.ts';
import { useText } from '../../i18n/language.ts';
import { Button } from '../../ui/button.tsx';
import { showToast } from '../../ui/toast-store.ts';
import styles from './account.module.css';
import { Part } from './part.tsx';
import { useAccountText } from './use-account-text.ts';

/** The form in which users change their own password. */
export function PasswordPart({ login }: { login: string }) {
  const { save } = useText().common;
  const text = useAccountText();
  const [oldPassword, setOld] = useState('');
  const [newPassword, setNew] = useState('');
  const change = useAction(changePassword, {
    onSuccess: () => {
      showToast({ kind: 'done', text: text.passwordChanged });
      setOld('');
      setNew('');
      setTried(false);
    },
  });
  const { required, tooLong } = useFormText().problems;
  const [isTried, setTried] = useState(false);
  const oldMissing = oldPassword === '' ? required : undefined;
  const newProblem = newPasswordProblem(newPassword, {
    ...{ required, tooLong },
    tooShort: text.newPasswordHint,
  });
  // Other failures show a toast.
  const oldRefused = change.error?.error === 'wrong_password' ? text.wrongPassword : undefined;
  const isNewRefused = change.error?.error === 'weak_password';
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    setTried(true);
    if (oldMissing !== undefined || newProblem !== undefined) return;
    change.mutate({ body: { old_password: oldPassword, new_password: newPassword } });
  };
  return (
    <Part title={text.password}>
      <form className={styles.form} onSubmit={submit} noValidate>
        <input type="text" hidden autoComplete="username" value={login} readOnly />
        <PasswordField
          label={text.oldPassword}
          kind="current"
          value={oldPassword}
          onChange={setOld}
          problem={(isTried ? oldMissing : undefined) ?? oldRefused}
        />
        <PasswordField
          label={text.newPassword}
          kind="new"
          value={newPassword}
          onChange={setNew}
          hint={text.newPasswordHint}
          problem={isNewRefused ? text.newPasswordHint : (isTried && newProblem) || undefined}
        />
        <div>
          <Button type="submit" kind="primary" isBusy={change.isPending}>
            {save}
          </Button>
        </div>
      </form>
    </Part>
  );
}
