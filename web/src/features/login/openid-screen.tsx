import { publicSettings } from '@ridewatch/contract/auth';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useEndpoint } from '../../calls/api.ts';
import { useText } from '../../i18n/language.ts';
import { Button } from '../../ui/button.tsx';
import { GuestFoot } from '../../ui/guest-foot.tsx';
import { Logo } from '../../ui/logo.tsx';
import { useTitle } from '../../ui/use-title.ts';
import { FailureNote } from './failure-note.tsx';
import styles from './login-screen.module.css';
import { failureOf, finishAtProvider, mayTryAgain, waitOf } from './sign-in.ts';
import { useSignInText } from './use-sign-in-text.ts';

/** The page to which a provider of OpenID Connect leads back. It signs in, after which the router goes on, or says why not. */
export function OpenidScreen() {
  const text = useSignInText();
  const { title } = useText().login;
  const settings = useEndpoint(publicSettings, {}).data;
  const { retry } = useText().common;
  const [query] = useState(() => location.search.slice(1));
  const [finish] = useState(() => finishAtProvider(query));
  const { error, refetch } = useQuery({
    queryKey: ['openid', query],
    queryFn: async () => {
      await finish();
      return true;
    },
    // The answer of a provider works once: nothing but the user asks again.
    staleTime: 'static',
  });
  useTitle(title);
  return (
    <main className={styles.page}>
      <div className={styles.card}>
        <Logo name={settings?.company_name} />
        <h1 className={styles.title}>{title}</h1>
        {error ? (
          <>
            <FailureNote
              failure={failureOf(error)}
              supportEmail={settings?.support_email ?? ''}
              waitMin={waitOf(error)}
            />
            {mayTryAgain(error) && (
              <Button kind="primary" className={styles.submit} onClick={() => void refetch()}>
                {retry}
              </Button>
            )}
            <Link to="/login" className={styles.link}>
              {text.toSignIn}
            </Link>
          </>
        ) : (
          <p aria-busy="true">{text.signingIn}</p>
        )}
      </div>
      <GuestFoot page="login" />
    </main>
  );
}
