import type { Me } from '@ridewatch/contract/auth';
import { Link, useCanGoBack, useMatches, useRouter } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useText } from '../i18n/language.ts';
import { screenAt, screensOf } from '../screens.tsx';
import { IconButton } from '../ui/button.tsx';
import { drawn, Icon, LogoutIcon } from '../ui/icons.tsx';
import styles from './mobile-shell.module.css';
import { NotificationTab } from './notification-bell.tsx';
import { signOut } from './sign-out.ts';
import { useAccountText } from './use-account-text.ts';
import { UserMenu } from './user-menu.tsx';

// Unlike the arrow beside a bus's plate, which leads to another bus.
const ReturnIcon = drawn('M20 12H5M11 5l-7 7 7 7');

/** Icons of the screens, by path. */
const icons: Readonly<Record<string, string>> = {
  '/buses': 'M5 17V6q0-2 2-2h10q2 0 2 2v11zM5 11h14M8 17v2M16 17v2M8 14h.01M16 14h.01',
  '/review': 'M4 6h11M4 12h7M4 18h6M13 17l3 3 5-7',
  '/admin/{-$section}/{-$id}': 'M4 7h9M17 7h3M15 5v4M4 12h3M11 12h9M9 10v4M4 17h11M19 17h1M17 15v4',
  '/stats': 'M4 20h16M7 16v-5M12 16V5M17 16V9',
};

/** The layout of phones: top bar with back, title and logout; the screen; the tab bar. */
export function MobileShell({ user, children }: { user: Me; children: ReactNode }) {
  const text = useText();
  const own = useAccountText();
  const router = useRouter();
  const canGoBack = useCanGoBack();
  const screen = screenAt(useMatches({ select: (matches) => matches.at(-1)?.fullPath }));
  const back = () => {
    if (canGoBack) router.history.back();
    else if (screen?.parent) void router.navigate({ to: screen.parent });
  };
  return (
    <div className={styles.page}>
      <header className={styles.top}>
        {screen?.parent ? (
          <IconButton label={own.back} onClick={back}>
            <ReturnIcon />
          </IconButton>
        ) : (
          <UserMenu user={user} isCompact />
        )}
        <div className={styles.slot} data-top-bar />
        <span className={styles.title}>{screen && text.shell[screen.title]}</span>
        <IconButton label={own.logout} onClick={signOut}>
          <LogoutIcon />
        </IconButton>
      </header>
      <main className={styles.main}>{children}</main>
      <nav className={styles.tabs} aria-label={own.menu}>
        {screensOf('mobile', user).map((one) => (
          <Link
            key={one.path}
            to={one.path}
            className={styles.tab}
            // The root shows the list, too.
            {...(one.load === screen?.load && { 'aria-current': 'page' })}
          >
            <Icon>
              <path d={icons[one.path]} />
            </Icon>
            {text.shell[one.title]}
          </Link>
        ))}
        <NotificationTab className={styles.tab} />
      </nav>
    </div>
  );
}
