import type { Me } from '@ridewatch/contract/auth';
import { Link } from '@tanstack/react-router';
import { signOut } from '../calls/sign-out.ts';
import { nowMs } from '../core/clock.ts';
import { IconButton } from '../ui/button.tsx';
import { LogoutIcon } from '../ui/icons.tsx';
import { Logo } from '../ui/logo.tsx';
import styles from './desktop-shell.module.css';
import { MainMenu } from './main-menu.tsx';
import { NotificationBell } from './notification-bell.tsx';
import { SkipLink } from './skip-link.tsx';
import { TopBar } from './top-bar.tsx';
import { useAccountText } from './use-account-text.ts';
import { UserMenu } from './user-menu.tsx';

const FIRST_YEAR = 2020;

/** Above the screen on a desktop: the header with logo, menu and user. */
export function DesktopTop({ user }: { user: Me }) {
  const own = useAccountText();
  return (
    <>
      <SkipLink />
      <TopBar className={styles.header}>
        <Link to="/" aria-label={`${user.company.name}: ${own.home}`}>
          <Logo name={user.company.name} />
        </Link>
        <MainMenu user={user} />
        <div className={styles.user}>
          <NotificationBell />
          <UserMenu user={user} />
          <IconButton label={own.logout} onClick={signOut}>
            <LogoutIcon />
          </IconButton>
        </div>
      </TopBar>
    </>
  );
}

/** Below the screen on a desktop: the footer. */
export function DesktopEnd({ user }: { user: Me }) {
  return (
    <footer className={styles.footer}>
      © {FIRST_YEAR}–{new Date(nowMs()).getFullYear()} {user.company.name}
    </footer>
  );
}
