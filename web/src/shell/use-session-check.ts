import { checkSession, SESSION_CHECK_MS } from '@ridewatch/contract/auth';
import { useEffect } from 'react';
import { call, msSinceAnswer } from '../calls/request.ts';
import { nowMs } from '../core/clock.ts';

/** How often the page looks whether it is time to ask, ms. */
const LOOK_MS = 500;
/** A server in trouble is not asked by every page every two seconds, ms. */
const AFTER_FAULT_MS = 15_000;

/**
 * Asks whether the session is still open while the page is visible and nothing else is asked: the end of a session, and
 * a customer who is blocked, lead to the sign-in page within 5 s on every screen.
 */
export function useSessionCheck(): void {
  useEffect(() => {
    let askedMs = Number.NEGATIVE_INFINITY;
    let waitMs = SESSION_CHECK_MS;
    const timer = setInterval(async () => {
      if (document.visibilityState === 'hidden') return;
      if (msSinceAnswer() < SESSION_CHECK_MS || Math.abs(nowMs() - askedMs) < waitMs) return;
      askedMs = nowMs();
      waitMs = AFTER_FAULT_MS;
      // A failure ends the session, or is the server's or the link's: then other calls show it, and this one waits.
      const isAnswered = await call(checkSession, { isQuiet: () => true }).then(
        () => true,
        () => false,
      );
      if (isAnswered) waitMs = SESSION_CHECK_MS;
    }, LOOK_MS);
    return () => clearInterval(timer);
  }, []);
}
