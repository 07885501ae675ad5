import { logout } from '@ridewatch/contract/auth';
import { dropSession } from '../core/session.ts';
import { call } from './request.ts';

/** Signs out, or ends a view as another user: here at once, on the server when the call arrives. */
export function signOut(): void {
  const told = call(logout, {});
  dropSession('user_command');
  // If the call fails, the refresh token expires by itself.
  told.catch(() => undefined);
}
