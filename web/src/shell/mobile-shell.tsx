import type { Me } from '@ridewatch/contract/auth';
import { Link, useCanGoBack, useMatches, useRouter } from '@tanstack/react-router';
import { signOut } from '../calls/sign-out.ts';
import { useText } from '../i18n/language.ts';
import { useMenuFacts } from '../notification-poll/use-notifications.ts';
import { IconButton } from '../ui/button.tsx';
import { drawn, Icon, LogoutIcon } from '../ui/icons.tsx';
import { AlertMark } from './alert-mark.tsx';
import styles from './mobile-shell.module.css';
import { MoreTab } from './more-tab.tsx';
import { NotificationTab } from './notification-bell.tsx';
import { screenAt, screensOf } from './screens.tsx';
import { TopBar } from './top-bar.tsx';
import { useAccountText } from './use-account-text.ts';
import { UserMenu } from './user-menu.tsx';

// Unlike the arrow beside a bus's plate, which leads to another bus.
const ReturnIcon = drawn('M20 12H5M11 5l-7 7 7 7');

/** Icons of the screens, by path. */
const icons: Readonly<Record<string, string>> = {
  '/': 'M4 11l8-7l8 7M6 10v10h12V10M10 20v-6h4v6',
  '/buses': 'M5 17V6q0-2 2-2h10q2 0 2 2v11zM5 11h14M8 17v2M16 17v2M8 14h.01M16 14h.01',
  '/review': 'M4 6h11M4 12h7M4 18h6M13 17l3 3 5-7',
  '/stats': 'M4 20h16M7 16v-5M12 16V5M17 16V9',
  '/faq': 'M12 3a9 9 0 1 0 .01 0M9.5 9.5a2.5 2.5 0 1 1 3.5 2.3q-1 .5-1 1.7M12 17h.01',
  '/news': 'M4 5h13v14H6q-2 0-2-2zM17 9h3v8q0 2-2 2M7 9h7M7 13h7M7 16h4',
};

/** Most entries of the tab bar, the notifications among them; a phone of 360 px has room for their names. */
const MOST_TABS = 5;

/** Above the screen on a phone: the bar with back or the user, the title, and logout. */
export function MobileTop({ user }: { user: Me }) {
  const text = useText();
  const own = useAccountText();
  const router = useRouter();
  const canGoBack = useCanGoBack();
  const screen = useScreen();
  const back = () => {
    if (canGoBack) router.history.back();
    else if (screen?.parent) void router.navigate({ to: screen.parent });
  };
  return (
    <TopBar className={styles.top}>
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
    </TopBar>
  );
}

/** Below the screen on a phone: the tab bar. */
export function MobileEnd({ user }: { user: Me }) {
  const text = useText();
  const own = useAccountText();
  const known = useMenuFacts();
  const screen = useScreen();
  const listed = screensOf('mobile', user, known);
  // The notifications take one place, and 'More' another one when not all fit.
  const shown = listed.length < MOST_TABS ? listed : listed.slice(0, MOST_TABS - 2);
  const others = listed.slice(shown.length);
  return (
    <nav className={styles.tabs} aria-label={own.menu}>
      {shown.map((one) => (
        <Link
          key={one.path}
          to={one.path}
          className={styles.tab}
          activeOptions={{ exact: one.path === '/' }}
        >
          <Icon>
            <path d={icons[one.path]} />
          </Icon>
          <span>
            {text.shell[one.tabTitle ?? one.title]}
            <AlertMark screen={one} known={known} />
          </span>
        </Link>
      ))}
      {others.length > 0 && (
        <MoreTab
          screens={others}
          known={known}
          isCurrent={others.some((one) => one === screen)}
          className={styles.tab}
        />
      )}
      <NotificationTab className={styles.tab} />
    </nav>
  );
}

const useScreen = () => screenAt(useMatches({ select: (matches) => matches.at(-1)?.fullPath }));
