import { createHash, randomBytes } from 'node:crypto';
import { jwtVerify, SignJWT } from 'jose';
import type { TokenKeys } from '../core/signing-keys.ts';

/** Lifetime of an access token, seconds. */
export const ACCESS_TOKEN_S = 15 * 60;
/** The secret of an API key begins with it. */
export const KEY_PREFIX = 'rwk_';
const ISSUER = 'ridewatch';

/**
 * A signed JWT that names a session; rights are looked up at each request.
 * @param endsS when it expires, seconds since 1970 UTC
 */
export async function signAccessToken(
  keys: TokenKeys,
  sessionId: string,
  { nowMs, endsS }: { readonly nowMs: number; readonly endsS: number },
): Promise<string> {
  const secret = keys.secrets.get(keys.currentId);
  if (secret === undefined) throw new Error('There is no current signing key.');
  const nowS = Math.floor(nowMs / 1000);
  return new SignJWT({ sid: sessionId })
    .setProtectedHeader({ alg: 'HS256', kid: String(keys.currentId) })
    .setIssuer(ISSUER)
    .setIssuedAt(nowS)
    .setExpirationTime(endsS)
    .sign(secret);
}

/** What a valid token says. */
export interface TokenClaims {
  readonly sessionId: string;
  /** Expiry, ms since 1970 UTC. */
  readonly expiresMs: number;
}

/** The session of a token; undefined when it is forged, damaged or expired. */
export async function readAccessToken(
  keys: TokenKeys,
  token: string,
  nowMs: number,
): Promise<TokenClaims | undefined> {
  try {
    const { payload } = await jwtVerify(
      token,
      (header) => {
        const secret = keys.secrets.get(Number(header.kid));
        if (secret === undefined) throw new Error('The token names an unknown key.');
        return secret;
      },
      { algorithms: ['HS256'], issuer: ISSUER, currentDate: new Date(nowMs) },
    );
    if (typeof payload.sid !== 'string' || payload.exp === undefined) return undefined;
    return { sessionId: payload.sid, expiresMs: payload.exp * 1000 };
  } catch {
    // Every invalid token gets the same answer.
    return undefined;
  }
}

/** A random secret of 256 bits as text. */
export function createSecret(prefix: string): string {
  return `${prefix}${randomBytes(32).toString('base64url')}`;
}

/** The stored hash of a secret. */
export function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
