import type { AdminSection } from '@ridewatch/contract/admin-sections';
import { useSyncExternalStore } from 'react';
import { currentSession } from '../../core/session.ts';

// The form of a new row closes when its drawer opens, which shows the secret; nothing stores it. The next user of the
// page does not see it.
let shown:
  | { readonly of: string; readonly secret: string; readonly userId: number | undefined }
  | undefined;
const currentUserId = (): number | undefined => currentSession()?.user.id;
const listeners = new Set<() => void>();
const keyOfSecret = (section: AdminSection, id: number): string => `${section} ${id}`;

/** Notes the secret that was just issued for a row; undefined forgets it. */
export function noteSecret(section: AdminSection, id: number, secret: string | undefined): void {
  shown =
    secret === undefined
      ? undefined
      : { of: keyOfSecret(section, id), secret, userId: currentUserId() };
  for (const listener of listeners) listener();
}

/** The secret of a row that was just issued in this page. */
export function useSecret(section: AdminSection, id: number): string | undefined {
  return useSyncExternalStore(subscribe, () =>
    shown?.of === keyOfSecret(section, id) && shown.userId === currentUserId()
      ? shown.secret
      : undefined,
  );
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
