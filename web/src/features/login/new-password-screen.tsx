import { publicSettings } from '@ridewatch/contract/auth';
import { findPasswordLink, setPasswordByLink } from '@ridewatch/contract/password-links';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, type SubmitEvent, useState } from 'react';
import { useEndpoint } from '../../calls/api.ts';
import { call } from '../../calls/request.ts';
import { ApiError } from '../../core/api-error.ts';
import { newPasswordProblem } from '../../forms/new-password.ts';
import { PasswordField } from '../../forms/password-field.tsx';
import { useText } from '../../i18n/language.ts';
import { Button } from '../../ui/button.tsx';
import { Logo } from '../../ui/logo.tsx';
import { Preferences } from '../../ui/preferences.tsx';
import { useTitle } from '../../ui/use-title.ts';
import { FailureNote } from './failure-note.tsx';
import styles from './login-screen.module.css';
import { failureOf, waitOf } from './sign-in.ts';
import { useSignInText } from './use-sign-in-text.ts';

const isQuiet = () => true;
const isInvalid = (error: unknown) => error instanceof ApiError && error.error === 'invalid_link';

/** The page of a link by which a user sets a new password. The token is the fragment of its address. */
export function NewPasswordScreen() {
  const text = useSignInText();
  const { retry, loading } = useText().common;
  const settings = useEndpoint(publicSettings, {}).data;
  const [token] = useState(() => location.hash.slice(1));
  const [isDone, setDone] = useState(false);
  const link = useQuery({
    queryKey: [findPasswordLink.path, token],
    queryFn: ({ signal }) => call(findPasswordLink, { body: { token }, signal, isQuiet }),
    enabled: token !== '' && !isDone,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const [refused, setRefused] = useState<unknown>();
  useTitle(text.title);
  const failed = refused ?? link.error;
  const isGone = token === '' || isInvalid(failed);
  const toSignIn = (
    <Link to="/login" className={styles.link}>
      {text.toSignIn}
    </Link>
  );
  const bodyOf = (): ReactNode => {
    if (isDone) return <Ending title={text.doneTitle} text={text.doneText} link={toSignIn} />;
    if (isGone) return <Ending title={text.invalidTitle} text={text.invalidText} link={toSignIn} />;
    const note = failed && (
      <FailureNote
        failure={failureOf(failed)}
        supportEmail={settings?.support_email ?? ''}
        waitMin={waitOf(failed)}
      />
    );
    if (link.data === undefined) {
      return (
        <>
          <h1 className={styles.title}>{text.title}</h1>
          {note ?? <p aria-busy="true">{loading}</p>}
          {link.isError && (
            <Button isBusy={link.isFetching} onClick={() => void link.refetch()}>
              {retry}
            </Button>
          )}
        </>
      );
    }
    return (
      <>
        <h1 className={styles.title}>{text.title}</h1>
        <p>{text.forLogin(link.data.login)}</p>
        {note}
        <NewPasswordForm
          token={token}
          login={link.data.login}
          onDone={() => setDone(true)}
          onRefused={setRefused}
        />
      </>
    );
  };
  return (
    <main className={styles.page}>
      <div className={styles.card}>
        <Logo name={settings?.company_name} />
        {bodyOf()}
      </div>
      <div className={styles.preferences}>
        <Preferences />
      </div>
    </main>
  );
}

function Ending({ title, text, link }: { title: string; text: string; link: ReactNode }) {
  return (
    <>
      <h1 className={styles.title}>{title}</h1>
      <p role="status">{text}</p>
      {link}
    </>
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
  const [password, setPassword] = useState('');
  const [again, setAgain] = useState('');
  const [isTried, setTried] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const problem = newPasswordProblem(password, text);
  const againProblem = problem === undefined && again !== password ? text.differ : undefined;
  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    setTried(true);
    if (problem !== undefined || againProblem !== undefined) return;
    setBusy(true);
    onRefused(undefined);
    try {
      await call(setPasswordByLink, { body: { token, new_password: password }, isQuiet });
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
      <PasswordField
        label={text.password}
        kind="new"
        value={password}
        onChange={setPassword}
        hint={text.passwordHint}
        problem={isTried ? problem : undefined}
      />
      <PasswordField
        label={text.again}
        kind="new"
        value={again}
        onChange={setAgain}
        problem={isTried ? againProblem : undefined}
      />
      <Button type="submit" kind="primary" isBusy={isBusy} className={styles.submit}>
        {text.submit}
      </Button>
    </form>
  );
}
