import { publicSettings } from '@ridewatch/contract/auth';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Fragment, type ReactNode, useEffect, useState } from 'react';
import { useEndpoint } from '../../calls/api.ts';
import { ApiError } from '../../core/api-error.ts';
import { useText } from '../../i18n/language.ts';
import { Button } from '../../ui/button.tsx';
import { GuestFoot } from '../../ui/guest-foot.tsx';
import { Logo } from '../../ui/logo.tsx';
import { useTitle } from '../../ui/use-title.ts';
import { FailureNote } from './failure-note.tsx';
import styles from './login-screen.module.css';
import { failureOf, waitOf } from './sign-in.ts';
import { useSignInText } from './use-sign-in-text.ts';

const isInvalid = (error: unknown) => error instanceof ApiError && error.error === 'invalid_link';

/**
 * Gives the page of a link its token: the fragment of the address, which browsers send nowhere. Another link that is opened
 * in the tab begins the page anew, because the browser loads nothing then.
 */
export function PerLink({ children }: { children: (token: string) => ReactNode }) {
  const [token, setToken] = useState(() => location.hash.slice(1));
  useEffect(() => {
    const read = () => setToken(location.hash.slice(1));
    window.addEventListener('hashchange', read);
    return () => window.removeEventListener('hashchange', read);
  }, []);
  return <Fragment key={token}>{children(token)}</Fragment>;
}

interface LinkPageProps<Known> {
  token: string;
  title: string;
  /** The name of its page in the guide. */
  guide: string;
  /** Under 'This link does not work'. */
  invalidText: string;
  /** Asks what the link opens; its path is the key of the answer. */
  path: string;
  find: (signal: AbortSignal) => Promise<Known>;
  /** Why the form's call was refused; undefined: it was not. */
  refused: unknown;
  /** Replaces the page after the link was used. */
  ending?: ReactNode;
  form: (known: Known) => ReactNode;
}

/** The page of a link that works once. */
export function LinkPage<Known>(props: LinkPageProps<Known>) {
  const { token, title, guide, invalidText, path, find, refused, ending, form } = props;
  const text = useSignInText();
  const { retry, loading } = useText().common;
  const settings = useEndpoint(publicSettings, {}).data;
  const link = useQuery({
    queryKey: [path, token],
    queryFn: ({ signal }) => find(signal),
    enabled: token !== '' && !ending,
    staleTime: Number.POSITIVE_INFINITY,
  });
  useTitle(title);
  const failed = refused ?? link.error;
  const bodyOf = (): ReactNode => {
    if (ending) return ending;
    if (token === '' || isInvalid(failed)) {
      return <Ending title={text.invalidTitle} text={invalidText} />;
    }
    return (
      <>
        <h1 className={styles.title}>{title}</h1>
        {link.data === undefined && !failed && <p aria-busy="true">{loading}</p>}
        {Boolean(failed) && (
          <FailureNote
            failure={failureOf(failed)}
            supportEmail={settings?.support_email ?? ''}
            waitMin={waitOf(failed)}
          />
        )}
        {link.isError && (
          <Button isBusy={link.isFetching} onClick={() => void link.refetch()}>
            {retry}
          </Button>
        )}
        {link.data !== undefined && form(link.data)}
      </>
    );
  };
  return (
    <main className={styles.page}>
      <div className={styles.card}>
        <Logo name={settings?.company_name} />
        {bodyOf()}
      </div>
      <GuestFoot page={guide} />
    </main>
  );
}

/** Ends the page with a text when there is nothing to fill in, with the way to sign-in. */
export function Ending({ title, text }: { title: string; text: string }) {
  const { toSignIn } = useSignInText();
  return (
    <>
      <h1 className={styles.title}>{title}</h1>
      <p role="status">{text}</p>
      <Link to="/login" className={styles.link}>
        {toSignIn}
      </Link>
    </>
  );
}
