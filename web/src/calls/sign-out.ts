import { currentSession, dropSession } from '../core/session.ts';
import { endSession } from './request.ts';

/** Signs out, or ends a view as another user: here at once, on the server when the call arrives. */
export function signOut(): void {
  const session = currentSession();
  dropSession('user_command');
  if (session) void endSession(session);
}
