import { Outlet, useMatches } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useConnectionLost } from '../core/connection.ts';
import { useText } from '../i18n/language.ts';
import { KeysLayer } from '../keys/keys-layer.tsx';
import { Toaster } from '../ui/toaster.tsx';
import styles from './frame.module.css';
import { keepFocus } from './kept-focus.ts';

/** The frame of all screens, also before sign-in: the bar of a lost connection, the list of keys, and the toasts. */
export function Frame() {
  const text = useText();
  const path = useMatches({ select: (matches) => matches.at(-1)?.fullPath });
  const isLost = useConnectionLost();
  useEffect(keepFocus, []);
  return (
    <>
      <Outlet />
      <div role="status" className={styles.bar} data-shown={isLost || undefined}>
        {isLost && text.common.connectionLost}
      </div>
      <KeysLayer path={path ?? '/'} />
      <Toaster />
    </>
  );
}
