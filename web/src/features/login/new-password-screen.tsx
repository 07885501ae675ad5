import { findPasswordLink, setPasswordByLink } from '@ridewatch/contract/password-links';
import { type SubmitEvent, useState } from 'react';
import { call } from '../../calls/request.ts';
import { NewPasswordFields, useNewPassword } from '../../forms/new-password-fields.tsx';
import { Button } from '../../ui/button.tsx';
import { Ending, LinkPage, PerLink } from './link-page.tsx';
import styles from './login-screen.module.css';
import { useSignInText } from './use-sign-in-text.ts';

const isQuiet = () => true;

/** The page of a link by which a user sets a new password. */
export function NewPasswordScreen() {
  return <PerLink>{(token) => <NewPasswordPage token={token} />}</PerLink>;
}

function NewPasswordPage({ token }: { token: string }) {
  const text = useSignInText();
  const [isDone, setDone] = useState(false);
  const [refused, setRefused] = useState<unknown>();
  return (
    <LinkPage
      token={token}
      title={text.title}
      guide="new-password"
      invalidText={text.invalidText}
      path={findPasswordLink.path}
      find={(signal) => call(findPasswordLink, { body: { token }, signal, isQuiet })}
      refused={refused}
      ending={isDone && <Ending title={text.doneTitle} text={text.doneText} />}
      form={({ login }) => (
        <>
          <p>{text.forLogin(login)}</p>
          <NewPasswordForm
            token={token}
            login={login}
            onDone={() => setDone(true)}
            onRefused={setRefused}
          />
        </>
      )}
    />
  );
}

interface NewPasswordFormProps {
  token: string;
  login: string;
  onDone: () => void;
  /** @param error undefined: another try begins */
  onRefused: (error: unknown) => void;
}

function NewPasswordForm({ token, login, onDone, onRefused }: NewPasswordFormProps) {
  const text = useSignInText();
  const typed = useNewPassword();
  const [isTried, setTried] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    setTried(true);
    if (!typed.isGood) return;
    setBusy(true);
    onRefused(undefined);
    try {
      await call(setPasswordByLink, { body: { token, new_password: typed.password }, isQuiet });
      onDone();
    } catch (error) {
      onRefused(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <form className={styles.fields} onSubmit={(event) => void submit(event)} noValidate>
      <input type="text" hidden autoComplete="username" value={login} readOnly />
      <NewPasswordFields typed={typed} isTried={isTried} />
      <Button type="submit" kind="primary" isBusy={isBusy} className={styles.submit}>
        {text.submit}
      </Button>
    </form>
  );
}
