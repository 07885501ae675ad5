import { useSyncExternalStore } from 'react';
import { CopyButton } from '../../ui/copy-button.tsx';
import styles from './drawer.module.css';
import { useAdminText } from './use-admin-text.ts';

// A new unit's form closes when its drawer opens, which shows the credential; nothing stores it.
let shown: { readonly unitId: number; readonly secret: string } | undefined;
const listeners = new Set<() => void>();

/** Notes the credential that was just issued for a unit; undefined forgets it. */
export function noteSecret(unitId: number, secret: string | undefined): void {
  shown = secret === undefined ? undefined : { unitId, secret };
  for (const listener of listeners) listener();
}

/** The credential of a unit that was just issued in this page. */
export function useSecret(unitId: number): string | undefined {
  return useSyncExternalStore(subscribe, () =>
    shown?.unitId === unitId ? shown.secret : undefined,
  );
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Shows a credential this once. */
export function SecretNote({ secret, note }: { secret: string; note: string | undefined }) {
  const { credential } = useAdminText();
  return (
    <div role="status" className={styles.secret}>
      <strong>{credential.title}</strong>
      <p>{credential.text}</p>
      <span>
        <code>{secret}</code>
        <CopyButton value={secret} />
      </span>
      {note !== undefined && <p>{note}</p>}
    </div>
  );
}
