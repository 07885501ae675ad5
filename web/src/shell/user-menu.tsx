import type { Me } from '@ridewatch/contract/auth';
import { useText } from '../i18n/language.ts';
import { DownIcon, UserIcon } from '../ui/icons.tsx';
import { Popover } from '../ui/popover.tsx';
import { Preferences } from '../ui/preferences.tsx';
import { PanelLink } from './panel-link.tsx';
import { screensOf } from './screens.tsx';
import { useAccountText } from './use-account-text.ts';
import styles from './user-menu.module.css';

/** A menu with the user's login: language, theme, and the screens that no other menu lists. */
export function UserMenu({ user, isCompact = false }: { user: Me; isCompact?: boolean }) {
  const own = useAccountText();
  const text = useText().shell;
  // The header of a desktop has its main menu.
  const listed = screensOf('user', user).filter(
    ({ slots }) => isCompact || !slots?.includes('main'),
  );
  return (
    <Popover
      label={`${own.userMenu}: ${user.login}`}
      buttonClass={styles.button}
      button={
        isCompact ? (
          <UserIcon />
        ) : (
          <>
            <span className={styles.login}>{user.login}</span>
            <DownIcon />
          </>
        )
      }
    >
      {(closeMenu) => (
        <div className={styles.panel}>
          <p className={styles.name}>{user.login}</p>
          <Preferences />
          {listed.map(({ path, title }) => (
            <PanelLink key={path} to={path} close={closeMenu}>
              {text[title]}
            </PanelLink>
          ))}
        </div>
      )}
    </Popover>
  );
}
