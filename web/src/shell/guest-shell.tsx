import { publicSettings } from '@ridewatch/contract/auth';
import { Link, Outlet } from '@tanstack/react-router';
import { useEndpoint } from '../calls/api.ts';
import { useSession } from '../core/session.ts';
import { useText } from '../i18n/language.ts';
import { Logo } from '../ui/logo.tsx';
import { Preferences } from '../ui/preferences.tsx';
import styles from './guest-shell.module.css';
import shell from './shell.module.css';
import { Main, SkipLink } from './skip-link.tsx';
import { TopBar } from './top-bar.tsx';
import { useAccountText } from './use-account-text.ts';

/** The layout around the guide before sign-in: the company, the way to sign-in, language and theme. */
export function GuestShell() {
  const text = useText().login;
  const own = useAccountText();
  const settings = useEndpoint(publicSettings, {}).data;
  // A user who still has to set up a second factor comes from there, and goes on there.
  const isSignedIn = useSession() !== null;
  return (
    <div className={shell.page}>
      <SkipLink />
      <TopBar className={styles.header}>
        <Logo name={settings?.company_name} />
        <Link to="/login" className={styles.back}>
          {isSignedIn ? own.back : text.submit}
        </Link>
      </TopBar>
      <Main>
        <Outlet />
      </Main>
      <footer className={styles.footer}>
        <Preferences />
      </footer>
    </div>
  );
}
