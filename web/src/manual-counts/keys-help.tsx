import { useText } from '../i18n/language.ts';
import { textsOf } from '../i18n/texts-of.ts';
import { useIsWide } from '../ui/breakpoints.ts';
import { Button } from '../ui/button.tsx';
import { OverPage } from '../ui/over-page.tsx';
import styles from './keys-help.module.css';
import { en } from './keys-help-en.ts';
import { ru } from './keys-help-ru.ts';

const useKeysText = textsOf({ ru_RU: ru, en_US: en });

interface KeysHelpProps {
  /** Shown on the page of a bus. */
  isOfDay: boolean;
  mayCount: boolean;
  onClose: () => void;
}

/** The keyboard shortcuts of the page. */
export function KeysHelp({ isOfDay, mayCount, onClose }: KeysHelpProps) {
  const text = useKeysText();
  const common = useText().common;
  // The list of buses beside the page has the search.
  const hasSearch = useIsWide() && isOfDay;
  const keys = [
    ...text.keys,
    ...(mayCount ? text.countKeys : []),
    ...(isOfDay ? text.dayKeys : []),
    ...(hasSearch ? text.searchKeys : []),
  ];
  return (
    <OverPage label={text.keysTitle} look={styles.dialog} onClose={onClose}>
      <h2>{text.keysTitle}</h2>
      <dl>
        {keys.map(([key, action]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{action}</dd>
          </div>
        ))}
      </dl>
      <Button onClick={onClose}>{common.close}</Button>
    </OverPage>
  );
}
