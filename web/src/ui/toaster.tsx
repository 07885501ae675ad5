import { useEffect, useRef, useSyncExternalStore } from 'react';
import { useText } from '../i18n/language.ts';
import { useIsPhone } from './breakpoints.ts';
import { IconButton } from './button.tsx';
import icons from './icons.module.css';
import { closeToast, currentToasts, subscribeToasts } from './toast-store.ts';
import styles from './toaster.module.css';

/** Shows the current toasts. */
export function Toaster() {
  const text = useText();
  const toasts = useSyncExternalStore(subscribeToasts, currentToasts);
  const list = useRef<HTMLElement>(null);
  // A screen reader announces only changes of a region that exists before them.
  useEffect(() => list.current?.showPopover(), []);
  // The element shown last is the topmost: show the region again, so that it covers open dialogs and panels.
  useEffect(() => {
    if (toasts.length === 0) return;
    list.current?.hidePopover();
    list.current?.showPopover();
  }, [toasts]);
  // On a phone it covers the first field of a form: a user who goes on has read it. A failure stays.
  const isPhone = useIsPhone();
  const done = toasts.filter(({ kind }) => kind === 'done');
  useEffect(() => {
    if (!isPhone || done.length === 0) return;
    const close = () => {
      for (const { id } of done) closeToast(id);
    };
    document.addEventListener('pointerdown', close, { once: true });
    return () => document.removeEventListener('pointerdown', close);
  });
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
          <span>
            {toast.text}
            {toast.more && <small>{toast.more}</small>}
          </span>
          <IconButton label={text.common.close} onClick={() => closeToast(toast.id)}>
            {/* The icon components load with the bus list, and a toast may be shown before. */}
            <svg className={icons.icon} viewBox="0 0 24 24" aria-hidden="true">
              <path d="M6 6l12 12M18 6L6 18" />
            </svg>
          </IconButton>
        </div>
      ))}
    </section>
  );
}
