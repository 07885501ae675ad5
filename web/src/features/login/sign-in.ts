import { issueTokens } from '@ridewatch/contract/auth';
import { call, findOwner } from '../../calls/request.ts';
import { ApiError } from '../../core/api-error.ts';
import { startSession } from '../../core/session.ts';
import type { Texts } from '../../i18n/ru/catalogue.ts';

export type Failure = keyof Texts['login']['failures'];

/**
 * Signs in and starts the session.
 * @param code of the second factor; undefined unless sign-in asked for it
 * @throws ApiError
 */
export async function signIn(username: string, password: string, code?: string): Promise<void> {
  const tokens = await call(issueTokens, {
    body: { grant_type: 'password', username, password, code },
    isQuiet: () => true,
  });
  startSession(tokens, await findOwner(tokens.access_token));
}

/** Whether the password was right and the code of the second factor is missing. */
export function asksForCode(error: unknown): boolean {
  return error instanceof ApiError && error.error === 'mfa_required';
}

/** Selects the text for a failed sign-in (spec section 8; 429 is ours: the limit of attempts). */
export function failureOf(error: unknown): Failure {
  const known: Record<number, Failure> = {
    0: 'fail_login_network',
    400: 'fail_login',
    401: 'user_inactive',
    403: 'user_blocked',
    429: 'too_many_attempts',
  };
  return (error instanceof ApiError && known[error.status]) || 'fail_login_unexpected';
}

/** How long the limit of attempts still refuses, in minutes. */
export function waitOf(error: unknown): number {
  return error instanceof ApiError ? Math.ceil((error.retryAfterS || 60) / 60) : 0;
}
