import { type AddressParts, filledAddress, type Part, pairsOf } from '@ridewatch/contract/address';
import {
  CLIENT_ID,
  issueTokens,
  LogoutReason,
  logout,
  Me,
  me,
  Tokens,
} from '@ridewatch/contract/auth';
import type { BodyOf, Endpoint, ResponseOf } from '@ridewatch/contract/endpoint';
import * as z from 'zod/mini';
import { ApiError, errorOf, isAwayStatus } from '../core/api-error.ts';
import { nowMs } from '../core/clock.ts';
import { markConnected, markLost } from '../core/connection.ts';
import { takePrefetched } from '../core/prefetch.ts';
import {
  currentSession,
  dropSession,
  renewSession,
  type SignedIn,
  updateUser,
} from '../core/session.ts';
import { currentLanguage } from '../i18n/language.ts';
import { noteAnswer, reportFailure } from './failures.ts';

/** The input of a call: the parts that its endpoint declares. */
export type InputOf<E> = AddressParts<E> & Part<'body', BodyOf<E>> & Manner;

/** How a call is made. */
interface Manner {
  signal?: AbortSignal;
  transport?: Transport;
  /** Whether a failure shows no toast, because the page tells it in another way. */
  isQuiet?: ((error: ApiError) => boolean) | undefined;
}

/** Sends a request instead of `fetch`. */
export type Transport = (address: string, init: RequestInit) => Promise<Response>;

/** The answer of a call; undefined if its endpoint has none. */
export type AnswerOf<E> = [ResponseOf<E>] extends [never] ? undefined : ResponseOf<E>;

/** The parts of any call, untyped; callers use the typed `InputOf`. */
export interface RawInput extends Manner {
  params?: unknown;
  query?: unknown;
  body?: unknown;
}

/** Longest body that is sent while the page unloads, UTF-16 units; browsers allow 64 KiB for all requests together. */
const MAX_KEEPALIVE_CHARS = 8192;

/** Renewals on their way, by the refresh token that each exchanges. */
const renewals = new Map<string, Promise<Tokens>>();
let answeredMs = 0;

/** How long ago a call of the session was answered, ms; infinite if the clock has been set back since. */
export function msSinceAnswer(): number {
  const ms = nowMs() - answeredMs;
  return ms < 0 ? Number.POSITIVE_INFINITY : ms;
}

/**
 * Calls an endpoint with the session's token. An expired token is renewed once for all waiting calls. Shows a failure in
 * a toast.
 * @throws ApiError
 */
export function call<E extends Endpoint>(endpoint: E, input: InputOf<E>): Promise<AnswerOf<E>>;
export async function call(endpoint: Endpoint, input: RawInput): Promise<unknown> {
  const { method, path } = endpoint;
  const name = `${method} ${filledAddress(path, input.params, input.query)}`;
  try {
    const answer = await ask(endpoint, input);
    noteAnswer(name);
    return answer;
  } catch (error) {
    const isQuiet = error instanceof ApiError && input.isQuiet?.(error);
    if (!isQuiet) reportFailure(error, name, method === 'GET');
    throw error;
  }
}

async function ask(endpoint: Endpoint, input: RawInput): Promise<unknown> {
  let session = currentSession();
  let response = await send(endpoint, input, session?.access);
  const isOfSession = endpoint.access !== 'public';
  const next = response.status === 401 && isOfSession && session ? await renewed(session) : null;
  if (next) {
    session = next;
    response = await send(endpoint, input, next.access);
  }
  if (!response.ok) {
    const failure = await errorOf(response);
    // The customer was blocked while its user worked. Any other refusal is about the call alone.
    const isBlocked = failure.error === 'user_blocked' && isOfSession;
    if (isBlocked && currentSession()?.access === session?.access) dropSession('user_blocked');
    // The rule is newer than the session: the router leads to the page that sets it up.
    if (failure.error === 'second_factor_required' && session)
      updateUser({ ...session.user, must_set_up_second_factor: true });
    throw failure;
  }
  if (isOfSession) answeredMs = nowMs();
  if (!endpoint.response) return undefined;
  const answer: unknown = await response.json();
  if (!import.meta.env.DEV) return answer;
  const checked = z.safeParse(endpoint.response, answer);
  if (checked.success) return checked.data;
  throw new ApiError(response.status, 'unexpected_answer', z.prettifyError(checked.error));
}

/**
 * Finds the user to whom an access token belongs, before a session exists.
 * @throws ApiError
 */
export async function findOwner(access: string): Promise<Me> {
  const response = await send(me, {}, access);
  if (!response.ok) throw await errorOf(response);
  return z.parse(Me, await response.json());
}

async function send(endpoint: Endpoint, input: RawInput, access?: string): Promise<Response> {
  const headers = new Headers({ accept: 'application/json' });
  if (endpoint.access !== 'public' && access) headers.set('authorization', `Bearer ${access}`);
  if (endpoint === issueTokens) headers.set('authorization', `Basic ${btoa(`${CLIENT_ID}:`)}`);
  // Refusals and notes are in the language of the page, not of the browser.
  if (endpoint.method !== 'GET')
    headers.set('accept-language', currentLanguage().replace('_', '-'));
  const init: RequestInit = { method: endpoint.method, headers };
  if (input.signal) init.signal = input.signal;
  if (input.body !== undefined) {
    if (!endpoint.bodyType) headers.set('content-type', 'application/json');
    init.body = bodyOf(endpoint, input.body);
    // The request survives the unloading of the page.
    init.keepalive = typeof init.body === 'string' && init.body.length < MAX_KEEPALIVE_CHARS;
  }
  try {
    const address = filledAddress(endpoint.path, input.params, input.query);
    const carry = input.transport ?? takePrefetched(address, access) ?? fetch;
    const response = await carry(address, init);
    // A proxy that answers for an absent server has no code of screens, either.
    if (!isAwayStatus(response.status)) markConnected();
    return response;
  } catch (cause) {
    if (input.signal?.aborted) throw cause;
    markLost();
    throw new ApiError(0, 'network', cause instanceof Error ? cause.message : 'Network Error', {
      cause,
    });
  }
}

/**
 * Ends a session on the server, with new tokens if its own have expired. Failures are quiet: without a page that renews
 * it, a session expires by itself.
 */
export async function endSession({
  access,
  refresh,
}: Pick<SignedIn, 'access' | 'refresh'>): Promise<void> {
  try {
    const { status } = await send(logout, {}, access);
    if (status === 401) await send(logout, {}, (await renewal(refresh)).access_token);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
  }
}

/**
 * The session with which a refused call may be sent again: the present one, renewed if it is still that of the call.
 * @returns null if it has ended, or belongs to another user by now
 */
async function renewed(used: SignedIn): Promise<SignedIn | null> {
  if (currentSession()?.access === used.access) {
    try {
      await renewal(used.refresh);
    } catch (error) {
      // Only a refusal ends the session. After a lost link or a server error the next call tries again.
      if (!(error instanceof ApiError) || isAway(error)) throw error;
      const named = LogoutReason.safeParse(error.error);
      // Another tab may have renewed or ended the session meanwhile.
      if (currentSession()?.refresh === used.refresh)
        dropSession(named.success ? named.data : 'token_expired');
    }
  }
  const now = currentSession();
  return now && now.access !== used.access && now.user.id === used.user.id ? now : null;
}

const isAway = ({ status }: ApiError): boolean => status === 0 || status >= 500;

/**
 * Exchanges a refresh token, by one request for all that wait, and stores the tokens in its session.
 * @throws ApiError
 */
function renewal(refresh: string): Promise<Tokens> {
  const started =
    renewals.get(refresh) ?? exchange(refresh).finally(() => renewals.delete(refresh));
  renewals.set(refresh, started);
  return started;
}

async function exchange(refresh: string): Promise<Tokens> {
  const body = { grant_type: 'refresh_token', refresh_token: refresh };
  const response = await send(issueTokens, { body });
  if (!response.ok) throw await errorOf(response);
  const tokens = z.parse(Tokens, await response.json());
  renewSession(refresh, tokens);
  return tokens;
}

function bodyOf({ bodyType }: Endpoint, body: unknown): BodyInit {
  if (bodyType === 'form') return pairsOf(body);
  if (bodyType !== 'multipart') return JSON.stringify(body);
  const form = new FormData();
  for (const [key, value] of Object.entries(body ?? {})) {
    if (value !== undefined) form.append(key, value instanceof Blob ? value : String(value));
  }
  return form;
}
