import { Login } from '@ridewatch/contract/admin-users';
import { findSetupLink, makeFirstAdministrator } from '@ridewatch/contract/setup-links';
import { useNavigate } from '@tanstack/react-router';
import { type SubmitEvent, useState } from 'react';
import { call } from '../../calls/request.ts';
import { ApiError } from '../../core/api-error.ts';
import { NewPasswordFields, useNewPassword } from '../../forms/new-password-fields.tsx';
import { TextField } from '../../forms/text-field.tsx';
import { Button } from '../../ui/button.tsx';
import { LinkPage, PerLink } from './link-page.tsx';
import styles from './login-screen.module.css';
import { signIn } from './sign-in.ts';
import { useSignInText } from './use-sign-in-text.ts';

const isQuiet = () => true;
const isTaken = (error: unknown) => error instanceof ApiError && error.error === 'conflict';

/** The page of the link that a new installation prints: it makes the first administrator and signs in. */
export function SetupScreen() {
  return <PerLink>{(token) => <SetupPage token={token} />}</PerLink>;
}

function SetupPage({ token }: { token: string }) {
  const text = useSignInText();
  const [refused, setRefused] = useState<unknown>();
  return (
    <LinkPage
      token={token}
      title={text.setupTitle}
      guide="setup"
      invalidText={text.setupInvalidText}
      path={findSetupLink.path}
      find={async (signal) => {
        await call(findSetupLink, { body: { token }, signal, isQuiet });
        return true;
      }}
      refused={isTaken(refused) ? undefined : refused}
      form={() => (
        <>
          <p>{text.setupText}</p>
          <SetupForm token={token} isLoginTaken={isTaken(refused)} onRefused={setRefused} />
        </>
      )}
    />
  );
}

interface SetupFormProps {
  token: string;
  isLoginTaken: boolean;
  /** @param error undefined: another try begins */
  onRefused: (error: unknown) => void;
}

function SetupForm({ token, isLoginTaken, onRefused }: SetupFormProps) {
  const text = useSignInText();
  const navigate = useNavigate();
  const typed = useNewPassword();
  const [login, setLogin] = useState('');
  const [isTried, setTried] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const problem = loginProblem(login, text);
  const shown = isTried ? problem : undefined;
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    setTried(true);
    if (problem !== undefined || !typed.isGood) return;
    setBusy(true);
    onRefused(undefined);
    try {
      const { password } = typed;
      await call(makeFirstAdministrator, { body: { token, login, password }, isQuiet });
      // A user who was made but cannot sign in at once does so by hand.
      const isIn = await signIn(login, password).then(...([() => true, () => false] as const));
      await navigate({ to: isIn ? '/' : '/login', replace: true });
    } catch (error) {
      onRefused(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <form className={styles.fields} onSubmit={(event) => void submit(event)} noValidate>
      <TextField
        label={text.setupLogin}
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        value={login}
        onChange={(event) => {
          setLogin(event.target.value);
          if (isLoginTaken) onRefused(undefined);
        }}
        problem={isLoginTaken ? text.loginTaken : shown}
      />
      <NewPasswordFields typed={typed} isTried={isTried} />
      <Button type="submit" kind="primary" isBusy={isBusy} className={styles.submit}>
        {text.setupSubmit}
      </Button>
    </form>
  );
}

function loginProblem(
  login: string,
  said: { readonly loginRequired: string; readonly loginConfusing: string },
): string | undefined {
  if (login === '') return said.loginRequired;
  return Login.safeParse(login).success ? undefined : said.loginConfusing;
}
