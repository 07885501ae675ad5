import type { Me } from '@ridewatch/contract/auth';
import { Link, useLocation } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { nowMs } from '../clock.ts';
import { useText } from '../i18n/language.ts';
import { screensOf } from '../screens.tsx';
import { IconButton } from '../ui/button.tsx';
import { LogoutIcon } from '../ui/icons.tsx';
import { Logo } from '../ui/logo.tsx';
import styles from './desktop-shell.module.css';
import { NotificationBell } from './notification-bell.tsx';
import { signOut } from './sign-out.ts';
import { useAccountText } from './use-account-text.ts';
import { UserMenu } from './user-menu.tsx';

const FIRST_YEAR = 2020;

/** The layout of desktops: header with logo, menu and user; the screen; the footer. */
export function DesktopShell({ user, children }: { user: Me; children: ReactNode }) {
  const text = useText();
  const own = useAccountText();
  // The root shows the list.
  const isAtRoot = useLocation({ select: (location) => location.pathname === '/' });
  return (
    <div className={styles.page}>
      <header className={styles.header}>
        <Link to="/" aria-label={`${user.company.name}: ${own.home}`}>
          <Logo name={user.company.name} />
        </Link>
        <nav className={styles.menu} aria-label={own.menu}>
          {screensOf('main', user).map((screen) => (
            <Link
              key={screen.path}
              to={screen.path}
              className={styles.entry}
              {...(isAtRoot && screen.path === '/buses' && { 'aria-current': 'page' })}
            >
              {text.shell[screen.title]}
            </Link>
          ))}
        </nav>
        <div className={styles.user}>
          <NotificationBell />
          <UserMenu user={user} />
          <IconButton label={own.logout} onClick={signOut}>
            <LogoutIcon />
          </IconButton>
        </div>
      </header>
      <main className={styles.main}>{children}</main>
      <footer className={styles.footer}>
        © {FIRST_YEAR}–{new Date(nowMs()).getFullYear()} {user.company.name}
      </footer>
    </div>
  );
}
