import { Link, useParams } from '@tanstack/react-router';
import { useMayEdit } from '../core/session.ts';
import { useText } from '../i18n/language.ts';
import { textsOf } from '../i18n/texts-of.ts';
import { useIsPhone, useIsWide } from '../ui/breakpoints.ts';
import { Button } from '../ui/button.tsx';
import { OverPage } from '../ui/over-page.tsx';
import { useBackCloses } from '../ui/over-page-back.ts';
import { useLock } from '../ui/use-lock.ts';
import styles from './keys-help.module.css';
import { guidePageOf, keysOf } from './keys-of.ts';
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
  // Of the administration: its page of the guide has a place for each.
  const { section } = useParams({ strict: false });
  const mayCount = useMayEdit();
  const isLocked = useLock() !== undefined;
  const mayChoose = !useIsPhone() && !isLocked;
  const groups = keysOf(path, { mayCount, isWide: useIsWide(), section, mayChoose });
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
          {...(section !== undefined && { hash: section })}
          // Beside the screen: its forms keep what is typed.
          target="_blank"
          onClick={onClose}
        >
          {text.guide}
        </Link>
        <Button onClick={onClose}>{common.close}</Button>
      </div>
    </OverPage>
  );
}
