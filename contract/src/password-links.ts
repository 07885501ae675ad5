// Links by which users set a new password without the old one.
import * as z from 'zod/mini';
import { Credential } from './auth.ts';
import { endpoint } from './endpoint.ts';
import { IdText, Moment } from './primitives.ts';

/** How long a link works, hours. */
export const PASSWORD_LINK_HOURS = 24;

/** Whether a link was sent by mail: not asked for, done, refused, or the installation sends none. */
export const LinkMail = z.enum(['none', 'sent', 'failed', 'unavailable']);
export type LinkMail = z.infer<typeof LinkMail>;

export const makePasswordLink = endpoint({
  method: 'POST',
  path: '/api/admin/users/{userId}/password-link',
  summary: `Makes a link by which a user sets a new password, once, within ${PASSWORD_LINK_HOURS} hours; an earlier link ends`,
  access: 'user',
  params: z.object({ userId: IdText }),
  body: z.object({
    /** The mail address to which it is sent, too; null: none. */
    mail_to: z._default(z.nullable(z.email().check(z.maxLength(255))), null),
  }),
  response: z.object({
    /** Path of the page with the token, shown this once. */
    path: z.string(),
    expires_at: Moment,
    mail: LinkMail,
  }),
  errors: ['unauthorized', 'invalid_request', 'no_right', 'not_found', 'conflict', 'unavailable'],
});

const token = { token: Credential };

export const findPasswordLink = endpoint({
  method: 'POST',
  path: '/api/auth/password-link',
  summary: 'Whose password a link sets; the link stays valid',
  access: 'public',
  body: z.object(token),
  response: z.object({ login: z.string() }),
  errors: [
    ...(['invalid_request', 'invalid_link', 'user_inactive', 'user_blocked'] as const),
    ...(['too_many_attempts', 'unavailable'] as const),
  ],
});

export const setPasswordByLink = endpoint({
  method: 'PUT',
  path: '/api/auth/password-link',
  summary: 'Sets the password by a link, which ends with every session of the user',
  access: 'public',
  body: z.object({ ...token, new_password: Credential }),
  errors: [
    ...(['invalid_request', 'invalid_link', 'weak_password', 'user_inactive'] as const),
    ...(['user_blocked', 'too_many_attempts', 'unavailable'] as const),
  ],
});
