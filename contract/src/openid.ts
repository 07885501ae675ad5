// Sign-in by a provider of OpenID Connect (authorization code with PKCE).
import * as z from 'zod/mini';
import { Tokens } from './auth.ts';
import { endpoint } from './endpoint.ts';
import { IdText } from './primitives.ts';

const path = '/api/auth/openid';

/** A text that only the server reads, or the query with which the provider answers, characters. */
const Long = z.string().check(z.minLength(1), z.maxLength(4096));

export const beginOpenid = endpoint({
  method: 'POST',
  path,
  summary: 'Where the provider of OpenID Connect asks the user to sign in; 404 without a provider',
  access: 'public',
  response: z.object({
    /** Of the provider; it leads back to `/openid`. */
    address: z.string(),
    /** Shown by the same browser when it is back, within ten minutes. */
    ticket: Long,
  }),
  errors: ['not_found', 'unavailable'],
});

export const finishOpenid = endpoint({
  method: 'PUT',
  path,
  summary: 'Signs in with the answer of the provider',
  access: 'public',
  body: z.object({ ticket: Long, query: Long }),
  response: Tokens,
  errors: [
    ...(['not_found', 'invalid_request', 'openid_failed', 'openid_unknown_user'] as const),
    ...(['user_inactive', 'user_blocked', 'too_many_attempts', 'unavailable'] as const),
  ],
});

export const unlinkOpenid = endpoint({
  method: 'DELETE',
  path: '/api/admin/users/{userId}/openid',
  summary:
    'Unlinks a user from its identity at the provider; the next sign-in goes by the login again',
  access: 'user',
  params: z.object({ userId: IdText }),
  errors: ['unauthorized', 'invalid_request', 'no_right', 'not_found'],
});
