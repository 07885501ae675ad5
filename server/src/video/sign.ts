// Signed addresses of video: a <video> element cannot send a header. The signature covers fragment, variant, user
// and expiry; the expiry is rounded up to the hour so that addresses and caches hold still for an hour.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { TokenKeys } from '../auth/tokens.ts';
import { AppError } from '../errors.ts';

const HOUR_S = 3600;
/** An address lives at least 11 and at most 12 hours. */
const LIFE_HOURS = 11;
const HEAD_BYTES = 12;
const MAC_BYTES = 32;

export type Variant = 'source' | 'playable';

interface Signed {
  readonly segmentId: number;
  readonly variant: Variant;
  readonly userId: number;
}

/** The moment (s since 1970) at which addresses signed now run out: the same for a whole hour. */
export function expiryOf(nowMs: number): number {
  return (Math.ceil(nowMs / 1000 / HOUR_S) + LIFE_HOURS) * HOUR_S;
}

/** The `hash` of a video address: base64url(expiry u32, user u48, key number u16, HMAC-SHA256). */
export function signVideo(keys: TokenKeys, signed: Signed, nowMs: number): string {
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt32BE(expiryOf(nowMs), 0);
  head.writeUIntBE(signed.userId, 4, 6);
  head.writeUInt16BE(keys.currentId, 10);
  return Buffer.concat([head, macOf(keys, head, signed)]).toString('base64url');
}

/**
 * Checks a `hash`.
 * @returns whose address it is
 * @throws AppError bad_signature when it is damaged, forged, for something else or run out
 */
export function verifyVideo(
  keys: TokenKeys,
  hash: string,
  asked: { segmentId: number; variant: Variant },
  nowMs: number,
): number {
  const refused = new AppError('bad_signature', 'The address of this video is not valid any more.');
  const bytes = Buffer.from(hash, 'base64url');
  if (bytes.length !== HEAD_BYTES + MAC_BYTES) throw refused;
  const head = bytes.subarray(0, HEAD_BYTES);
  const userId = head.readUIntBE(4, 6);
  if (!keys.secrets.has(head.readUInt16BE(10))) throw refused;
  const expected = macOf(keys, head, { ...asked, userId });
  if (!timingSafeEqual(expected, bytes.subarray(HEAD_BYTES))) throw refused;
  if (head.readUInt32BE(0) * 1000 <= nowMs) throw refused;
  return userId;
}

function macOf(keys: TokenKeys, head: Buffer, signed: Signed): Buffer {
  const secret = keys.secrets.get(head.readUInt16BE(10));
  if (secret === undefined) throw new Error('unknown key number');
  return createHmac('sha256', secret)
    .update(head)
    .update(`${signed.segmentId}:${signed.variant}:${signed.userId}`)
    .digest();
}
