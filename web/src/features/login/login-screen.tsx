import { publicSettings } from '@ridewatch/contract/auth';
import { MAX_TEXT_LENGTH } from '@ridewatch/contract/primitives';
import { useNavigate } from '@tanstack/react-router';
import { type SubmitEvent, useEffect, useRef, useState } from 'react';
import { useEndpoint } from '../../calls/api.ts';
import { destinationOr } from '../../core/after-sign-in.ts';
import { lazyComponent } from '../../core/lazy-component.tsx';
import { useLogoutReason } from '../../core/session.ts';
import { TextField } from '../../forms/text-field.tsx';
import { useText } from '../../i18n/language.ts';
import { Button } from '../../ui/button.tsx';
import { GuestFoot } from '../../ui/guest-foot.tsx';
import { Logo } from '../../ui/logo.tsx';
import { useTitle } from '../../ui/use-title.ts';
import { FailureNote } from './failure-note.tsx';
import styles from './login-screen.module.css';
import { asksForCode, type Failure, failureOf, goToProvider, signIn, waitOf } from './sign-in.ts';

const DEMO_LOGINS = ['admin', 'integrator', 'operator', 'owner1', 'owner2', 'owner3'];
const DEMO_PASSWORD = 'demo';

const CodeField = lazyComponent(async () => (await import('./code-field.tsx')).CodeField);

/** The sign-in screen. It loads first, so it imports little. */
export function LoginScreen() {
  const text = useText().login;
  const navigate = useNavigate();
  const reason = useLogoutReason();
  const settings = useEndpoint(publicSettings, {}).data;
  const [username, setUsername] = useState('');
  const [password, setPassword] = useState('');
  /** Null until sign-in asks for it. */
  const [code, setCode] = useState<string | null>(null);
  const [isTried, setTried] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [isLeaving, setLeaving] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(reason === 'user_command' ? null : reason);
  const [waitMin, setWait] = useState(0);
  const form = useRef<HTMLFormElement>(null);
  useTitle(text.title);
  useEffect(() => fieldOf(form.current, 'username')?.focus(), []);
  useEffect(() => {
    // Back from the provider brings the page as it was left.
    const show = ({ persisted }: PageTransitionEvent) => {
      if (persisted) setLeaving(false);
    };
    window.addEventListener('pageshow', show);
    return () => window.removeEventListener('pageshow', show);
  }, []);
  const problem = (value: string, required: string) => {
    if (value.length > MAX_TEXT_LENGTH) return text.tooLong;
    return value ? undefined : required;
  };
  const usernameProblem = problem(username, text.usernameRequired);
  const passwordProblem = problem(password, text.passwordRequired);

  const submit = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    setTried(true);
    if (code === '') return fieldOf(form.current, 'code')?.focus();
    if (usernameProblem || passwordProblem) {
      fieldOf(form.current, usernameProblem ? 'username' : 'password')?.focus();
      return;
    }
    setBusy(true);
    setFailure(null);
    try {
      await signIn(username, password, code ?? undefined);
      await navigate({ ...destinationOr('/'), replace: true });
    } catch (error) {
      if (asksForCode(error)) {
        setTried(false);
        setCode('');
        return;
      }
      const failed = failureOf(error);
      setFailure(failed);
      setWait(waitOf(error));
      fieldOf(form.current, failed === 'fail_code' ? 'code' : 'password')?.select();
    } finally {
      setBusy(false);
    }
  };

  const leave = async () => {
    setLeaving(true);
    setFailure(null);
    try {
      await goToProvider();
    } catch (error) {
      setFailure(failureOf(error));
      setWait(waitOf(error));
      setLeaving(false);
    }
  };

  return (
    <main className={styles.page}>
      <form ref={form} className={styles.card} onSubmit={(event) => void submit(event)} noValidate>
        <Logo name={settings?.company_name} />
        <h1 className={styles.title}>{text.title}</h1>
        {failure && (
          <FailureNote supportEmail={settings?.support_email ?? ''} {...{ failure, waitMin }} />
        )}
        {settings?.needs_setup && (
          <div role="status" className={styles.setup}>
            <strong>{text.setup.title}</strong>
            <p>{text.setup.text}</p>
          </div>
        )}
        <TextField
          label={text.username}
          name="username"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          value={username}
          onChange={(event) => {
            setUsername(event.target.value);
            // The user who signs in decides whether a code is asked for.
            setCode(null);
          }}
          problem={isTried ? usernameProblem : undefined}
        />
        <TextField
          label={text.password}
          name="password"
          type="password"
          autoComplete="current-password"
          value={password}
          onChange={(event) => setPassword(event.target.value)}
          problem={isTried ? passwordProblem : undefined}
        />
        {code !== null && (
          <CodeField
            value={code}
            onChange={setCode}
            isMissing={isTried && code === ''}
            isRefused={failure === 'fail_code'}
          />
        )}
        <Button type="submit" kind="primary" isBusy={isBusy} className={styles.submit}>
          {text.submit}
        </Button>
        {settings?.openid && (
          <Button isBusy={isLeaving} className={styles.submit} onClick={() => void leave()}>
            {text.byProvider(settings.openid)}
          </Button>
        )}
        {settings?.needs_setup !== true && <p className={styles.quiet}>{text.forgot}</p>}
        {settings?.demo && (
          <div className={styles.demo}>
            <p>{text.demo}</p>
            <div className={styles.logins}>
              {DEMO_LOGINS.map((login) => (
                <Button
                  key={login}
                  onClick={() => {
                    setUsername(login);
                    setPassword(DEMO_PASSWORD);
                    setCode(null);
                  }}
                >
                  {login}
                </Button>
              ))}
            </div>
          </div>
        )}
      </form>
      <GuestFoot page="login" />
    </main>
  );
}

function fieldOf(form: HTMLFormElement | null, name: string): HTMLInputElement | undefined {
  const field = form?.elements.namedItem(name);
  return field instanceof HTMLInputElement ? field : undefined;
}
