import { useEffect, useState } from 'react';
import { useConnectionLost } from '../core/connection.ts';
import { Button } from '../ui/button.tsx';
import styles from './new-version.module.css';
import { useAccountText } from './use-account-text.ts';
import { followVersions, takeNewer } from './versions.ts';

/** Says that there is a newer version; the page goes on with its own until the user loads it. */
export function NewVersion() {
  const text = useAccountText();
  const [newer, setNewer] = useState<ServiceWorker>();
  // On a phone the bar of a lost connection is at the same place.
  const isShown = !useConnectionLost() && newer !== undefined;
  useEffect(() => {
    if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
    return followVersions(setNewer);
  }, []);
  return (
    <div role="status" className={styles.bar} data-shown={isShown || undefined}>
      {isShown && (
        <>
          {text.newVersion} <Button onClick={() => takeNewer(newer)}>{text.loadNew}</Button>
        </>
      )}
    </div>
  );
}
