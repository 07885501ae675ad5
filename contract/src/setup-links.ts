// The link by which the first administrator of an installation is made. The server prints it at its start.
import * as z from 'zod/mini';
import { Login } from './admin-users.ts';
import { Credential } from './auth.ts';
import { endpoint } from './endpoint.ts';

/** How long a link works, hours. */
export const SETUP_LINK_HOURS = 24;

const token = { token: Credential };

export const findSetupLink = endpoint({
  method: 'POST',
  path: '/api/auth/setup-link',
  summary: 'Whether a link makes the first administrator; the link stays valid',
  access: 'public',
  body: z.object(token),
  errors: ['invalid_request', 'invalid_link', 'too_many_attempts', 'unavailable'],
});

export const makeFirstAdministrator = endpoint({
  method: 'PUT',
  path: '/api/auth/setup-link',
  summary: `Makes the first administrator by a link, once, within ${SETUP_LINK_HOURS} hours`,
  access: 'public',
  body: z.object({ ...token, login: Login, password: Credential }),
  errors: [
    ...(['invalid_request', 'invalid_link', 'weak_password', 'conflict'] as const),
    ...(['too_many_attempts', 'unavailable'] as const),
  ],
});
