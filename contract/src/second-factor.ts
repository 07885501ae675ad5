// Sign-in with a code of an authenticator app (RFC 6238) beside the password.
import * as z from 'zod/mini';
import { Credential } from './auth.ts';
import { endpoint } from './endpoint.ts';
import { IdText, Moment } from './primitives.ts';

/** Codes for a lost phone, each of which works once. */
export const RECOVERY_CODES = 10;

const SecondFactor = z.object({
  /** Since when sign-in asks for a code; null: it does not. */
  since: z.nullable(Moment),
  recovery_codes_left: z.int(),
  /** The user's role needs it: it cannot be turned off. */
  required: z.boolean(),
});

const RecoveryCodes = z.object({
  /** Shown this once. */
  recovery_codes: z.array(z.string()),
});

const path = '/api/auth/second-factor';
const errors = [
  'unauthorized',
  'invalid_request',
  'wrong_password',
  'wrong_code',
  'conflict',
  'too_many_attempts',
  'unavailable',
] as const;

export const findSecondFactor = endpoint({
  method: 'GET',
  path,
  summary: 'Whether sign-in asks for a code, and how many recovery codes are left',
  access: 'user',
  beforeSecondFactor: true,
  response: SecondFactor,
  errors: ['unauthorized'],
});

export const beginSecondFactor = endpoint({
  method: 'POST',
  path,
  summary: 'Makes a secret for an authenticator app; sign-in asks for codes once one was confirmed',
  access: 'user',
  beforeSecondFactor: true,
  body: z.object({ password: Credential }),
  response: z.object({
    /** Base32, for typing. */
    secret: z.string(),
    /** `otpauth://…`, for a QR code. */
    address: z.string(),
  }),
  errors,
});

export const confirmSecondFactor = endpoint({
  method: 'PUT',
  path,
  summary: 'Confirms the secret by a code of it: from now on sign-in asks for codes',
  access: 'user',
  beforeSecondFactor: true,
  body: z.object({ code: Credential }),
  response: RecoveryCodes,
  errors,
});

const proof = z.object({ password: Credential, code: Credential });

export const renewRecoveryCodes = endpoint({
  method: 'POST',
  path: `${path}/recovery-codes`,
  summary: 'Makes new recovery codes; the earlier ones end',
  access: 'user',
  body: proof,
  response: RecoveryCodes,
  errors,
});

export const removeSecondFactor = endpoint({
  method: 'POST',
  path: `${path}/remove`,
  summary: 'Sign-in asks for no code any more',
  access: 'user',
  body: proof,
  errors,
});

export const removeSecondFactorOfUser = endpoint({
  method: 'DELETE',
  path: '/api/admin/users/{userId}/second-factor',
  summary: 'Takes the second factor of a user away, who has lost it',
  access: 'user',
  params: z.object({ userId: IdText }),
  errors: ['unauthorized', 'invalid_request', 'no_right', 'not_found'],
});
