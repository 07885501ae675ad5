import { showKeys } from '../../keys/keys-store.ts';
import { useLock } from '../../ui/use-lock.ts';
import styles from './key-hints.module.css';
import { useManualCountsText } from './use-manual-counts-text.ts';

interface KeyHintsProps {
  mayCount: boolean;
}

/** The keys of a reviewer in one line, and a button that shows all of them. */
export function KeyHints(props: KeyHintsProps) {
  const mayCount = useLock() === undefined && props.mayCount;
  const text = useManualCountsText();
  const { hints } = text;
  return (
    <div className={styles.hints}>
      <div className={styles.keys}>
        {[...hints.watching, ...(mayCount ? hints.counting : [])].map(({ keys, action }) => (
          <span key={action}>
            {keys.map((key) => (
              <kbd key={key}>{key}</kbd>
            ))}{' '}
            {action}
          </span>
        ))}
      </div>
      <button type="button" onClick={() => showKeys(true)}>
        <kbd>?</kbd> {hints.all}
      </button>
    </div>
  );
}
