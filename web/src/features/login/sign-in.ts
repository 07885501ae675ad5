import { issueTokens, type Tokens } from '@ridewatch/contract/auth';
import { beginOpenid, finishOpenid } from '@ridewatch/contract/openid';
import { call, findOwner } from '../../calls/request.ts';
import { ApiError } from '../../core/api-error.ts';
import { startSession } from '../../core/session.ts';
import type { Texts } from '../../i18n/ru/catalogue.ts';

/** The key under which the tab keeps its ticket while the user is at the provider. */
const TICKET = 'ridewatch.openid';

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

/** Goes to the provider of OpenID Connect, which leads back to its page here. @throws ApiError */
export async function goToProvider(): Promise<void> {
  const { address, ticket } = await call(beginOpenid, { isQuiet: () => true });
  sessionStorage.setItem(TICKET, ticket);
  location.assign(address);
}

/**
 * Signs in with the answer of the provider, which works once.
 * @param query of the page to which the provider led
 * @returns signs in; may be called again as long as `mayTryAgain` says so. It throws ApiError
 */
export function finishAtProvider(query: string): () => Promise<void> {
  let issued: Tokens | undefined;
  return async () => {
    issued ??= await showTicket(query);
    startSession(issued, await findOwner(issued.access_token));
  };
}

async function showTicket(query: string): Promise<Tokens> {
  const ticket = sessionStorage.getItem(TICKET) ?? 'none';
  const body = { ticket, query: query || 'none' };
  try {
    const tokens = await call(finishOpenid, { body, isQuiet: () => true });
    sessionStorage.removeItem(TICKET);
    return tokens;
  } catch (error) {
    if (!mayTryAgain(error)) sessionStorage.removeItem(TICKET);
    throw error;
  }
}

/** Whether the same attempt may succeed later: the link was lost, or the server was in trouble. */
export function mayTryAgain(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status >= 500);
}

/** Whether the password was right and the code of the second factor is missing. */
export function asksForCode(error: unknown): boolean {
  return error instanceof ApiError && error.error === 'mfa_required';
}

const byCode: Readonly<Record<string, Failure>> = {
  openid_failed: 'openid_failed',
  openid_unknown_user: 'openid_unknown_user',
};

/** Selects the text for a failed sign-in (spec section 8; 429 is ours: the limit of attempts). */
export function failureOf(error: unknown): Failure {
  const known: Record<number, Failure> = {
    0: 'fail_login_network',
    400: 'fail_login',
    401: 'user_inactive',
    403: 'user_blocked',
    429: 'too_many_attempts',
  };
  if (!(error instanceof ApiError)) return 'fail_login_unexpected';
  // The password was right before.
  if (error.field === 'code') return 'fail_code';
  return byCode[error.error] ?? known[error.status] ?? 'fail_login_unexpected';
}

/** How long the limit of attempts still refuses, in minutes. */
export function waitOf(error: unknown): number {
  return error instanceof ApiError ? Math.ceil((error.retryAfterS || 60) / 60) : 0;
}
