import { logout } from '@ridewatch/contract/auth';
import { call } from '../calls/request.ts';
import { dropSession } from '../core/session.ts';

/** Signs out: in this browser at once, on the server when the call arrives. */
export function signOut(): void {
  const told = call(logout, {});
  dropSession('user_command');
  // If the call fails, the refresh token expires by itself.
  told.catch(() => undefined);
}
