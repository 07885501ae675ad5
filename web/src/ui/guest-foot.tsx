import { Link } from '@tanstack/react-router';
import { useText } from '../i18n/language.ts';
import styles from './guest-foot.module.css';
import { Preferences } from './preferences.tsx';

/**
 * The end of a page before sign-in: language, theme, and the way to the guide, which opens beside the page, whose form
 * keeps what is typed.
 * @param page the name of a page of the guide
 */
export function GuestFoot({ page }: { page: string }) {
  const { help } = useText().shell;
  return (
    <div className={styles.foot}>
      <Preferences />
      <Link
        to="/help/{-$page}"
        params={{ page }}
        search={{}}
        target="_blank"
        className={styles.link}
      >
        {help}
      </Link>
    </div>
  );
}
