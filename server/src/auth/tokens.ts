import { createHash, randomBytes } from 'node:crypto';
import { type JWTPayload, jwtVerify, SignJWT } from 'jose';
import type { TokenKeys } from '../core/signing-keys.ts';

/** Lifetime of an access token, seconds. */
export const ACCESS_TOKEN_S = 15 * 60;
/** The secret of an API key begins with it. */
export const KEY_PREFIX = 'rwk_';
/** The credential of a unit begins with it. */
export const UNIT_PREFIX = 'rwu_';
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
  return signClaims(keys, { sid: sessionId }, { issuer: ISSUER, nowMs, endsS });
}

/** The purpose of a signed text, and its time. */
interface SignedFor {
  /** Its purpose: a text of one is none of another. */
  readonly issuer: string;
  readonly nowMs: number;
}

/** Signs claims as a JWT. @param endsS when it expires, seconds since 1970 UTC */
export function signClaims(
  keys: TokenKeys,
  claims: JWTPayload,
  { issuer, nowMs, endsS }: SignedFor & { readonly endsS: number },
): Promise<string> {
  const secret = keys.secrets.get(keys.currentId);
  if (secret === undefined) throw new Error('There is no current signing key.');
  return new SignJWT(claims)
    .setProtectedHeader({ alg: 'HS256', kid: String(keys.currentId) })
    .setIssuer(issuer)
    .setIssuedAt(Math.floor(nowMs / 1000))
    .setExpirationTime(endsS)
    .sign(secret);
}

/** The claims of a signed text; undefined when it is forged, damaged, expired or of another purpose. */
export async function readClaims(
  keys: TokenKeys,
  signed: string,
  { issuer, nowMs }: SignedFor,
): Promise<JWTPayload | undefined> {
  try {
    const { payload } = await jwtVerify(
      signed,
      (header) => {
        const secret = keys.secrets.get(Number(header.kid));
        if (secret === undefined) throw new Error('The token names an unknown key.');
        return secret;
      },
      { algorithms: ['HS256'], issuer, currentDate: new Date(nowMs) },
    );
    return payload;
  } catch {
    // Every invalid token gets the same answer.
    return undefined;
  }
}

/** The claims of a valid token. */
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
  const claims = await readClaims(keys, token, { issuer: ISSUER, nowMs });
  if (typeof claims?.sid !== 'string' || claims.exp === undefined) return undefined;
  return { sessionId: claims.sid, expiresMs: claims.exp * 1000 };
}

/** A random secret of 256 bits as text. */
export function createSecret(prefix: string): string {
  return `${prefix}${randomBytes(32).toString('base64url')}`;
}

/** The stored hash of a secret. */
export function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
