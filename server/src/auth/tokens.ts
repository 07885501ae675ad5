import { createHash, randomBytes } from 'node:crypto';
import { jwtVerify, SignJWT } from 'jose';
import type { TokenKeys } from '../core/signing-keys.ts';

/** Life of an access token, seconds. */
export const ACCESS_TOKEN_S = 15 * 60;
const ISSUER = 'ridewatch';

/** A signed JWT that names a session; what the session may do is looked up at each request. */
export async function signAccessToken(
  keys: TokenKeys,
  sessionId: string,
  nowMs: number,
): Promise<string> {
  const secret = keys.secrets.get(keys.currentId);
  if (secret === undefined) throw new Error('no current key');
  const nowS = Math.floor(nowMs / 1000);
  return new SignJWT({ sid: sessionId })
    .setProtectedHeader({ alg: 'HS256', kid: String(keys.currentId) })
    .setIssuer(ISSUER)
    .setIssuedAt(nowS)
    .setExpirationTime(nowS + ACCESS_TOKEN_S)
    .sign(secret);
}

/** What a valid token says. */
export interface TokenClaims {
  readonly sessionId: string;
  /** First moment at which it is no longer valid, ms since 1970 UTC. */
  readonly expiresMs: number;
}

/** The session that a token names; undefined when it is forged, damaged or run out. */
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
        if (secret === undefined) throw new Error('unknown key');
        return secret;
      },
      { algorithms: ['HS256'], issuer: ISSUER, currentDate: new Date(nowMs) },
    );
    if (typeof payload.sid !== 'string' || payload.exp === undefined) return undefined;
    return { sessionId: payload.sid, expiresMs: payload.exp * 1000 };
  } catch {
    // Whatever is wrong with a token, the answer is the same: it opens nothing.
    return undefined;
  }
}

/** A random secret of 256 bits as text. */
export function createSecret(prefix: string): string {
  return `${prefix}${randomBytes(32).toString('base64url')}`;
}

/** What is kept of a secret. */
export function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
