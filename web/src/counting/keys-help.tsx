import { useEffect, useRef } from 'react';
import { useText } from '../i18n/language.ts';
import { Button } from '../ui/button.tsx';
import styles from './keys-help.module.css';
import { useCountingText } from './use-counting-text.ts';

/** The keys of the page. */
export function KeysHelp({ isOfDay, onClose }: { isOfDay: boolean; onClose: () => void }) {
  const text = useCountingText();
  const common = useText().common;
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} className={styles.dialog} aria-label={text.keysTitle} onClose={onClose}>
      <h2>{text.keysTitle}</h2>
      <dl>
        {(isOfDay ? [...text.keys, ...text.dayKeys] : text.keys).map(([key, action]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{action}</dd>
          </div>
        ))}
      </dl>
      <Button onClick={() => dialog.current?.close()}>{common.close}</Button>
    </dialog>
  );
}
