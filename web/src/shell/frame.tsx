import { Outlet } from '@tanstack/react-router';
import { useConnectionLost } from '../connection.ts';
import { useText } from '../i18n/language.ts';
import { Toaster } from '../ui/toaster.tsx';
import styles from './frame.module.css';

/** The frame of all screens, also before sign-in: the bar of a lost connection, and the toasts. */
export function Frame() {
  const text = useText();
  const isLost = useConnectionLost();
  return (
    <>
      <Outlet />
      <div role="status" className={styles.bar} data-shown={isLost || undefined}>
        {isLost && text.common.connectionLost}
      </div>
      <Toaster />
    </>
  );
}
