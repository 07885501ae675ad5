import { Link } from '@tanstack/react-router';
import { useSession } from '../core/session.ts';
import { useText } from '../i18n/language.ts';
import { textsOf } from '../i18n/texts-of.ts';
import { useIsWide } from '../ui/breakpoints.ts';
import { Button } from '../ui/button.tsx';
import { OverPage } from '../ui/over-page.tsx';
import { useBackCloses } from '../ui/over-page-back.ts';
import styles from './keys-help.module.css';
import { guidePageOf, keysOf, opensBeside } from './keys-of.ts';
import { en } from './texts-en.ts';
import { ru } from './texts-ru.ts';

const useKeysText = textsOf({ ru_RU: ru, en_US: en });

interface KeysHelpProps {
  /** Of the table of screens. */
  path: string;
  onClose: () => void;
}

/** The keys of a screen, and the way to its page in the guide. */
export function KeysHelp({ path, onClose }: KeysHelpProps) {
  const text = useKeysText();
  const common = useText().common;
  useBackCloses(onClose);
  const mayCount = useSession()?.user.can_edit ?? false;
  const groups = keysOf(path, { mayCount, isWide: useIsWide() });
  return (
    <OverPage label={text.title} look={styles.dialog} onClose={onClose}>
      <h2>{text.title}</h2>
      <dl>
        {groups.flatMap((group) =>
          text.groups[group].map(([key, action]) => (
            <div key={group + key}>
              <dt>
                <kbd>{key}</kbd>
              </dt>
              <dd>{action}</dd>
            </div>
          )),
        )}
      </dl>
      <div className={styles.foot}>
        <Link
          to="/help/{-$page}"
          params={{ page: guidePageOf(path) }}
          target={opensBeside(path) ? '_blank' : '_self'}
          onClick={onClose}
        >
          {text.guide}
        </Link>
        <Button onClick={onClose}>{common.close}</Button>
      </div>
    </OverPage>
  );
}
