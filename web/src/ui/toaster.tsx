import { useSyncExternalStore } from 'react';
import { useText } from '../i18n/language.ts';
import { IconButton } from './button.tsx';
import { CloseIcon } from './icons.tsx';
import { closeToast, currentToasts, subscribeToasts } from './toast-store.ts';
import styles from './toaster.module.css';

/** The toasts that are shown now. */
export function Toaster() {
  const text = useText();
  const toasts = useSyncExternalStore(subscribeToasts, currentToasts);
  return (
    <section className={styles.toasts} aria-live="polite" aria-label={text.common.notifications}>
      {toasts.map((toast) => (
        <div key={toast.id} className={styles.toast} data-kind={toast.kind}>
          <span>{toast.text}</span>
          <IconButton label={text.common.close} onClick={() => closeToast(toast.id)}>
            <CloseIcon />
          </IconButton>
        </div>
      ))}
    </section>
  );
}
