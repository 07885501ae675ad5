// Calls on one's own account; apart from sign-in, which every browser loads first.
import * as z from 'zod/mini';
import { Credential } from './auth.ts';
import { endpoint } from './endpoint.ts';
import { Moment } from './primitives.ts';

export const MIN_PASSWORD_LENGTH = 10;

export const changePassword = endpoint({
  method: 'PUT',
  path: '/api/auth/password',
  summary: "Changes one's password; every other session of the user ends",
  access: 'user',
  body: z.object({ old_password: Credential, new_password: Credential }),
  errors: [
    'unauthorized',
    'invalid_request',
    'wrong_password',
    'weak_password',
    'too_many_attempts',
    'unavailable',
  ],
});

export const Session = z.object({
  id: z.uuid(),
  created_at: Moment,
  last_used_at: Moment,
  address: z.string(),
  user_agent: z.string(),
  /** The session of this request. */
  current: z.boolean(),
});
export type Session = z.infer<typeof Session>;

/** Most sessions of the list. */
export const MOST_SESSIONS = 100;

export const listSessions = endpoint({
  method: 'GET',
  path: '/api/auth/sessions',
  summary: `One's open sessions, the one of this request, then the latest used; at most ${MOST_SESSIONS}`,
  access: 'user',
  response: z.object({
    items: z.array(Session),
    /** All open ones. */
    total: z.int(),
  }),
  errors: ['unauthorized'],
});

export const endSession = endpoint({
  method: 'DELETE',
  path: '/api/auth/sessions/{sessionId}',
  summary: "Ends one of one's sessions",
  access: 'user',
  params: z.object({ sessionId: z.uuid() }),
  errors: ['unauthorized', 'invalid_request', 'not_found'],
});

export const endAllSessions = endpoint({
  method: 'DELETE',
  path: '/api/auth/sessions',
  summary: 'Signs out everywhere, this session included',
  access: 'user',
  errors: ['unauthorized'],
});
