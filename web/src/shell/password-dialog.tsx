import { changePassword, MIN_PASSWORD_LENGTH } from '@ridewatch/contract/account';
import { MAX_TEXT_LENGTH } from '@ridewatch/contract/primitives';
import { type SubmitEvent, useState } from 'react';
import { useAction } from '../api.ts';
import type { ApiError } from '../api-error.ts';
import { Modal } from '../forms/modal.tsx';
import { TextField } from '../forms/text-field.tsx';
import { useText } from '../i18n/language.ts';
import { Button } from '../ui/button.tsx';
import { showToast } from '../ui/toast-store.ts';
import styles from './dialogs.module.css';
import { useAccountText } from './use-account-text.ts';

/** A dialog in which users change their own password. */
export function PasswordDialog({ login, onClose }: { login: string; onClose: () => void }) {
  const text = useText();
  const own = useAccountText();
  const [oldPassword, setOld] = useState('');
  const [newPassword, setNew] = useState('');
  const change = useAction(changePassword, {
    onSuccess: () => {
      showToast({ kind: 'done', text: own.passwordChanged });
      onClose();
    },
  });
  const isAboutOld = change.error?.error === 'wrong_password';
  const isReady = oldPassword !== '' && newPassword.length >= MIN_PASSWORD_LENGTH;
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isReady) change.mutate({ body: { old_password: oldPassword, new_password: newPassword } });
  };
  return (
    <Modal title={own.changePassword} onClose={onClose}>
      <form className={styles.form} onSubmit={submit}>
        <input type="text" hidden autoComplete="username" value={login} readOnly />
        <TextField
          label={own.oldPassword}
          type="password"
          autoComplete="current-password"
          maxLength={MAX_TEXT_LENGTH}
          value={oldPassword}
          onChange={(event) => setOld(event.target.value)}
          problem={isAboutOld ? own.wrongPassword : undefined}
        />
        <TextField
          label={own.newPassword}
          type="password"
          autoComplete="new-password"
          maxLength={MAX_TEXT_LENGTH}
          value={newPassword}
          onChange={(event) => setNew(event.target.value)}
          hint={own.newPasswordHint}
          problem={isAboutOld ? undefined : problemText(change.error)}
        />
        <Button type="submit" kind="primary" isBusy={change.isPending} disabled={!isReady}>
          {text.common.save}
        </Button>
      </form>
    </Modal>
  );
}

const problemText = (error: ApiError | null) =>
  error ? `${error.status}: ${error.message}` : undefined;
