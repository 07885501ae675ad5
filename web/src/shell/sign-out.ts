import { logout } from '@ridewatch/contract/auth';
import { call } from '../request.ts';
import { dropSession } from '../session.ts';

/** Signs out: here at once, and on the server as soon as it hears of it. */
export function signOut(): void {
  const told = call(logout, {});
  dropSession('user_command');
  // Without an answer the refresh token runs out by itself; nobody is left to be told.
  told.catch(() => undefined);
}
