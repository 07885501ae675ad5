import { Link } from '@tanstack/react-router';
import { useText } from '../i18n/language.ts';
import styles from './help-link.module.css';

/**
 * The way from a page before sign-in to the guide. It opens beside the page, whose form keeps what is typed.
 * @param page the name of a page of the guide
 */
export function HelpLink({ page }: { page: string }) {
  const { help } = useText().shell;
  return (
    <Link to="/help/{-$page}" params={{ page }} search={{}} target="_blank" className={styles.link}>
      {help}
    </Link>
  );
}
