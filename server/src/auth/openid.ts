// Sign-in by a provider of OpenID Connect. openid-client speaks with it: authorization code with PKCE, state and nonce.
// Nothing is stored while the user is at the provider: the browser keeps a signed ticket.
import { OPENID_PAGE } from '@ridewatch/contract/paths';
import * as client from 'openid-client';
import type { OpenidConfig } from '../core/config.ts';
import { AppError } from '../core/errors.ts';
import type { TokenKeys } from '../core/signing-keys.ts';
import type { Deps } from '../deps.ts';
import { readClaims, signClaims } from './tokens.ts';

/** How long a user may take at the provider, s. */
const TICKET_S = 10 * 60;
/** The cached metadata of the provider (its addresses, its methods) expire after this long, ms. */
const KEEP_MS = 3_600_000;
/** Longest wait for an answer of the provider, s. */
const ANSWER_S = 10;
/** Tickets are signed by the keys of access tokens, and are none. */
const TICKET_ISSUER = 'ridewatch-openid';

/** The identity that the provider has confirmed. */
export interface Identity {
  readonly issuer: string;
  readonly subject: string;
  /** The claim that names a login here; undefined when the provider does not tell it, or does not vouch for a mail. */
  readonly login: string | undefined;
}

export interface Openid {
  /** @throws AppError unavailable when the provider cannot be reached */
  begin(): Promise<{ address: string; ticket: string }>;
  /**
   * Checks the answer of the provider.
   * @param query that of the page to which the provider led
   * @returns undefined when the answer is none of this browser, was used, or says that the user did not sign in
   * @throws AppError unavailable
   */
  finish(ticket: string, query: string): Promise<Identity | undefined>;
}

type Ticket = Readonly<Record<'state' | 'nonce' | 'verifier', string>>;

/** Creates the sign-in by a provider for one process. @param publicUrl where users open the product */
export function createOpenid(
  settings: OpenidConfig,
  publicUrl: string,
  { keys, clock, log }: Pick<Deps, 'clock' | 'log'> & { readonly keys: TokenKeys },
): Openid {
  const redirect_uri = `${publicUrl}${OPENID_PAGE}`;
  let known:
    | { readonly provider: Promise<client.Configuration>; readonly atMs: number }
    | undefined;
  const findProvider = (): Promise<client.Configuration> => {
    const atMs = clock.elapsedMs();
    if (known !== undefined && atMs - known.atMs < KEEP_MS) return known.provider;
    const provider = discover(settings).catch((cause: unknown) => {
      known = undefined;
      throw away(cause);
    });
    known = { provider, atMs };
    return provider;
  };
  return {
    begin: async () => {
      const provider = await findProvider();
      const ticket = {
        state: client.randomState(),
        nonce: client.randomNonce(),
        verifier: client.randomPKCECodeVerifier(),
      };
      const address = client.buildAuthorizationUrl(provider, {
        ...{ redirect_uri, scope: 'openid profile email', state: ticket.state },
        ...{ nonce: ticket.nonce, code_challenge_method: 'S256' },
        code_challenge: await client.calculatePKCECodeChallenge(ticket.verifier),
      });
      const nowMs = clock.nowMs();
      const endsS = Math.floor(nowMs / 1000) + TICKET_S;
      const signed = await signClaims(keys, ticket, { issuer: TICKET_ISSUER, nowMs, endsS });
      return { address: address.href, ticket: signed };
    },
    finish: async (signed, query) => {
      const ticket = await readTicket(keys, signed, clock.nowMs());
      if (ticket === undefined) return undefined;
      const provider = await findProvider();
      const answer = new URL(`${redirect_uri}?${query}`);
      try {
        return await identityOf(provider, { answer, ticket, settings });
      } catch (error) {
        if (!isRefusal(error)) throw away(error);
        log.info({ err: error }, 'a sign-in by the provider was refused');
        return undefined;
      }
    },
  };
}

async function discover({
  issuer,
  clientId,
  clientSecret,
}: OpenidConfig): Promise<client.Configuration> {
  const server = new URL(issuer);
  // The configuration allows this on the machine itself only.
  const execute = server.protocol === 'http:' ? [client.allowInsecureRequests] : [];
  const proof = clientSecret === undefined ? client.None() : client.ClientSecretPost(clientSecret);
  return client.discovery(server, clientId, undefined, proof, { execute, timeout: ANSWER_S });
}

async function identityOf(
  provider: client.Configuration,
  told: { readonly answer: URL; readonly ticket: Ticket; readonly settings: OpenidConfig },
): Promise<Identity> {
  const { answer, ticket, settings } = told;
  const tokens = await client.authorizationCodeGrant(provider, answer, {
    pkceCodeVerifier: ticket.verifier,
    expectedState: ticket.state,
    expectedNonce: ticket.nonce,
    idTokenExpected: true,
  });
  const claims = tokens.claims();
  if (claims === undefined) throw new Error('The library gave no claims of an expected token.');
  const { loginClaim } = settings;
  const isTold = claims[loginClaim] !== undefined;
  const hasMore = provider.serverMetadata().userinfo_endpoint !== undefined;
  const more =
    isTold || !hasMore
      ? claims
      : await client.fetchUserInfo(provider, tokens.access_token, claims.sub);
  const login = more[loginClaim];
  // Anybody could claim a mail that the provider has not checked.
  const isUnchecked = loginClaim === 'email' && more.email_verified !== true;
  return {
    issuer: claims.iss,
    subject: claims.sub,
    login: typeof login === 'string' && !isUnchecked ? login : undefined,
  };
}

/** The provider could be asked, and its answer signs nobody in. */
function isRefusal(error: unknown): boolean {
  if (error instanceof client.AuthorizationResponseError) return true;
  if (error instanceof client.ResponseBodyError) return error.status < 500;
  if (!(error instanceof client.ClientError) || error.code === 'OAUTH_TIMEOUT') return false;
  return !(error.cause instanceof Response && error.cause.status >= 500);
}

function away(cause: unknown): AppError {
  const message = 'The sign-in provider cannot be reached, or answers nonsense.';
  return new AppError('unavailable', message, { cause, retryAfterS: 10 });
}

async function readTicket(
  keys: TokenKeys,
  signed: string,
  nowMs: number,
): Promise<Ticket | undefined> {
  const claims = await readClaims(keys, signed, { issuer: TICKET_ISSUER, nowMs });
  return claims as (Ticket & typeof claims) | undefined;
}
