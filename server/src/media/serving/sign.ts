// Signed addresses of video, because a <video> element cannot send a header. The signature covers fragment, variant,
// user, session and expiry. The expiry is rounded up to the hour, so that addresses and caches stay the same for an
// hour. It names the session, so that signing out ends what that session opened, and only that.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { Cache } from '../../core/cache.ts';
import { AppError } from '../../core/errors.ts';
import type { TokenKeys } from '../../core/signing-keys.ts';
import type { Holder } from '../../core/viewer.ts';

const HOUR_S = 3600;
/** An address is valid for at least 11 and at most 12 hours. */
const LIFE_HOURS = 11;
const SESSION_AT = 12;
const HEAD_BYTES = 28;
const MAC_BYTES = 32;
/** Most addresses in the cache of verified ones. */
const MOST_CHECKED = 10_000;

/**
 * The file that an address opens: the source, the playable file, its HLS stream, its thumbnail sheet, a merged video or
 * a report, under the id of its request instead of a fragment's.
 */
export type Variant = 'source' | 'playable' | 'stream' | 'preview' | 'merged' | 'report';

/** A file of a fragment, or live video of a camera. */
type Asked =
  | { readonly fragmentId: number; readonly variant: Variant }
  | { readonly cameraId: number; readonly variant: 'live' };

function nameOfHash(asked: Asked): string {
  return 'cameraId' in asked
    ? `camera ${asked.cameraId}:live`
    : `${asked.fragmentId}:${asked.variant}`;
}

/** The expiry (s since 1970) of addresses signed now: the same for a whole hour. */
export function expiryOf(nowMs: number): number {
  return (Math.ceil(nowMs / 1000 / HOUR_S) + LIFE_HOURS) * HOUR_S;
}

/** The `hash` of a video address: base64url(expiry u32, user u48, key number u16, session 16 bytes, HMAC-SHA256). */
export function signVideo(keys: TokenKeys, signed: Asked & Holder, nowMs: number): string {
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt32BE(expiryOf(nowMs), 0);
  head.writeUIntBE(signed.userId, 4, 6);
  head.writeUInt16BE(keys.currentId, 10);
  head.write(signed.sessionId.replaceAll('-', ''), SESSION_AT, 'hex');
  return Buffer.concat([head, macOf(keys, head, signed)]).toString('base64url');
}

/**
 * Verifies a `hash`.
 * @returns whose address it is
 * @throws AppError bad_signature when it is absent, damaged, forged, for something else or expired
 */
export type VerifyVideo = (hash: string | undefined, asked: Asked, nowMs: number) => Holder;

/**
 * Creates the verifier of one process. A player requests ten ranges a second by one address, so verified ones are
 * cached.
 */
export function createVideoVerifier(keys: TokenKeys): VerifyVideo {
  const checked = new Cache<string, Checked>({ most: MOST_CHECKED });
  return (hash, asked, nowMs) => {
    if (hash === undefined) {
      throw new AppError('bad_signature', 'The address has no signature.', { field: 'hash' });
    }
    const key = `${nameOfHash(asked)}:${hash}`;
    const known = checked.get(key);
    const found = known ?? readAddress(keys, hash, asked);
    if (found === undefined || found.expiresMs <= nowMs) {
      throw new AppError('bad_signature', 'The address of this video is no longer valid.');
    }
    if (known === undefined) checked.set(key, found);
    return found.holder;
  };
}

interface Checked {
  readonly holder: Holder;
  readonly expiresMs: number;
}

function readAddress(keys: TokenKeys, hash: string, asked: Asked): Checked | undefined {
  const bytes = Buffer.from(hash, 'base64url');
  // Only the canonical encoding is valid: the decoder ignores foreign characters.
  const isExact = bytes.length === HEAD_BYTES + MAC_BYTES && bytes.toString('base64url') === hash;
  if (!isExact) return undefined;
  const head = bytes.subarray(0, HEAD_BYTES);
  if (!keys.secrets.has(head.readUInt16BE(10))) return undefined;
  if (!timingSafeEqual(macOf(keys, head, asked), bytes.subarray(HEAD_BYTES))) return undefined;
  return {
    holder: { userId: head.readUIntBE(4, 6), sessionId: uuidOf(head.subarray(SESSION_AT)) },
    expiresMs: head.readUInt32BE(0) * 1000,
  };
}

function uuidOf(bytes: Buffer): string {
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

// The header holds expiry, user, key and session.
function macOf(keys: TokenKeys, head: Buffer, asked: Asked): Buffer {
  const secret = keys.secrets.get(head.readUInt16BE(10));
  if (secret === undefined) throw new Error('The signature names an unknown key.');
  return createHmac('sha256', secret).update(head).update(nameOfHash(asked)).digest();
}
