import { checkSession, SESSION_CHECK_MS } from '@ridewatch/contract/auth';
import { useEffect } from 'react';
import { call, msSinceAnswer } from '../request.ts';

/** How often the page looks whether it is time to ask, ms. */
const LOOK_MS = 500;

/**
 * Asks whether the session is still open while the page is visible and nothing else is asked: the end of a session, and
 * a customer who is blocked, lead to the sign-in page within 5 s on every screen.
 */
export function useSessionCheck(): void {
  useEffect(() => {
    let isAsking = false;
    const timer = setInterval(async () => {
      if (isAsking || document.visibilityState === 'hidden') return;
      if (msSinceAnswer() < SESSION_CHECK_MS) return;
      isAsking = true;
      // Other calls tell of a lost link and of a server's fault.
      await call(checkSession, { isQuiet: () => true }).catch(() => undefined);
      isAsking = false;
    }, LOOK_MS);
    return () => clearInterval(timer);
  }, []);
}
