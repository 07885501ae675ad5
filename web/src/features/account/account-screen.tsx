import { useSession } from '../../core/session.ts';
import { fullName } from '../../i18n/format.ts';
import { Preferences } from '../../ui/preferences.tsx';
import { useTitle } from '../../ui/use-title.ts';
import styles from './account.module.css';
import { KeysPart } from './keys-part.tsx';
import { Part } from './part.tsx';
import { PasswordPart } from './password-part.tsx';
import { SecondFactorPart } from './second-factor-part.tsx';
import { SessionsPart } from './sessions-part.tsx';
import { useAccountText } from './use-account-text.ts';

/** One's own account: password, second factor, sessions, API keys, language and theme. */
export function AccountScreen() {
  const text = useAccountText();
  const user = useSession()?.user;
  useTitle(text.title);
  if (user === undefined) return null;
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <h1 className="phone-hidden">{text.title}</h1>
        <p>
          {[user.login, fullName({ ...user, name: user.name ?? '' })].filter(Boolean).join(' · ')}
        </p>
      </header>
      <PasswordPart login={user.login} />
      <SecondFactorPart />
      <SessionsPart />
      {user.can_edit && user.client_id !== null && <KeysPart clientId={user.client_id} />}
      <Part title={text.preferences}>
        <Preferences />
      </Part>
    </div>
  );
}
