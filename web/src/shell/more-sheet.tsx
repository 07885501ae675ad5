import { Link } from '@tanstack/react-router';
import type { MenuFacts } from '../core/session.ts';
import { useText } from '../i18n/language.ts';
import { SlideUp } from '../ui/slide-up.tsx';
import { AlertMark } from './alert-mark.tsx';
import styles from './more-sheet.module.css';
import type { Screen } from './screens.tsx';
import { useAccountText } from './use-account-text.ts';

interface MoreSheetProps {
  screens: readonly Screen[];
  known: MenuFacts | undefined;
  onClose: () => void;
}

/** Links to the screens that have no tab of their own on a phone. */
export function MoreSheet({ screens, known, onClose }: MoreSheetProps) {
  const own = useAccountText();
  const text = useText().shell;
  return (
    <SlideUp label={own.more} isShort onClose={onClose}>
      <nav aria-label={own.more} className={styles.list}>
        {screens.map((screen) => (
          <Link key={screen.path} to={screen.path} className={styles.item} onClick={onClose}>
            <span className={styles.name}>
              {text[screen.title]}
              <AlertMark screen={screen} known={known} />
            </span>
          </Link>
        ))}
      </nav>
    </SlideUp>
  );
}
