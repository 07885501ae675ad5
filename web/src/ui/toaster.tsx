import { useEffect, useRef, useSyncExternalStore } from 'react';
import { useText } from '../i18n/language.ts';
import { IconButton } from './button.tsx';
import icons from './icons.module.css';
import { closeToast, currentToasts, subscribeToasts } from './toast-store.ts';
import styles from './toaster.module.css';

/** The toasts that are shown now. */
export function Toaster() {
  const text = useText();
  const toasts = useSyncExternalStore(subscribeToasts, currentToasts);
  const list = useRef<HTMLElement>(null);
  // What is said in it is told to who cannot see it only where it was there before.
  useEffect(() => list.current?.showPopover(), []);
  // Above a dialog or a panel that is open: what was shown last lies on top.
  useEffect(() => {
    if (toasts.length === 0) return;
    list.current?.hidePopover();
    list.current?.showPopover();
  }, [toasts]);
  return (
    <section
      ref={list}
      popover="manual"
      className={styles.toasts}
      aria-live="polite"
      aria-label={text.common.notifications}
    >
      {toasts.map((toast) => (
        <div key={toast.id} className={styles.toast} data-kind={toast.kind}>
          <span>{toast.text}</span>
          <IconButton label={text.common.close} onClick={() => closeToast(toast.id)}>
            {/* The drawn icons come with the list; this one is wanted before. */}
            <svg className={icons.icon} viewBox="0 0 24 24" aria-hidden="true">
              <path d="M6 6l12 12M18 6L6 18" />
            </svg>
          </IconButton>
        </div>
      ))}
    </section>
  );
}
