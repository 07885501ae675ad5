import type { Me } from '@ridewatch/contract/auth';
import { useState } from 'react';
import { lazyComponent } from '../lazy-component.tsx';
import { DownIcon, UserIcon } from '../ui/icons.tsx';
import { Popover } from '../ui/popover.tsx';
import { Preferences } from '../ui/preferences.tsx';
import { useAccountText } from './use-account-text.ts';
import styles from './user-menu.module.css';

const PasswordDialog = lazyComponent(
  async () => (await import('./password-dialog.tsx')).PasswordDialog,
);
const SessionsDialog = lazyComponent(
  async () => (await import('./sessions-dialog.tsx')).SessionsDialog,
);

/** A menu with the user's login: language, theme, password and sessions. */
export function UserMenu({ user, isCompact = false }: { user: Me; isCompact?: boolean }) {
  const own = useAccountText();
  const [dialog, setDialog] = useState<'password' | 'sessions' | null>(null);
  const close = () => setDialog(null);
  return (
    <>
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
            {(['password', 'sessions'] as const).map((name) => (
              <button
                key={name}
                type="button"
                className={styles.item}
                onClick={() => {
                  closeMenu();
                  setDialog(name);
                }}
              >
                {name === 'password' ? own.changePassword : own.sessions}
              </button>
            ))}
          </div>
        )}
      </Popover>
      {dialog === 'password' && <PasswordDialog login={user.login} onClose={close} />}
      {dialog === 'sessions' && <SessionsDialog onClose={close} />}
    </>
  );
}
