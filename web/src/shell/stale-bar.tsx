import { useSyncExternalStore } from 'react';
import { queryClient } from '../calls/api.ts';
import { ApiError } from '../core/api-error.ts';
import { useConnectionLost } from '../core/connection.ts';
import styles from './frame.module.css';
import { useAccountText } from './use-account-text.ts';

const cache = queryClient.getQueryCache();
const subscribe = (listener: () => void) => cache.subscribe(listener);

/** The status with which a shown answer could not be read again; undefined if all are current. */
function staleStatus(): number | undefined {
  for (const query of cache.getAll()) {
    const { error, data } = query.state;
    // A lost connection has a bar of its own; 401 leads to the sign-in page.
    const isOurs = error instanceof ApiError && error.status !== 0 && error.status !== 401;
    if (isOurs && data !== undefined && query.isActive()) return error.status;
  }
  return undefined;
}

/**
 * Says while shown answers are old because reading them again fails; not while the connection is lost, whose bar is at the
 * same place and says it too.
 */
export function StaleBar() {
  const text = useAccountText();
  const failed = useSyncExternalStore(subscribe, staleStatus);
  const status = useConnectionLost() ? undefined : failed;
  return (
    <div role="status" className={styles.bar} data-shown={status !== undefined || undefined}>
      {status !== undefined && text.stale(status)}
    </div>
  );
}
