// Codes of authenticator apps: TOTP of RFC 6238 with the values that all apps know, HMAC-SHA-1, six digits, 30 seconds;
// HOTP of RFC 4226 below it; base32 of RFC 4648.
import { createHmac, timingSafeEqual } from 'node:crypto';

/** Length of a secret, bytes: that of SHA-1, as RFC 4226 recommends. */
export const SECRET_BYTES = 20;
const STEP_MS = 30_000;
const DIGITS = 6;
/** Steps that the clock of a phone may be off, each way (RFC 6238, section 5.2). */
const SKEW = 1;
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** The code of a time step. */
export function codeOf(secret: Uint8Array, step: number, digits = DIGITS): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const offset = mac.readUInt8(mac.length - 1) & 0xf;
  const value = mac.readUInt32BE(offset) & 0x7fff_ffff;
  return String(value % 10 ** digits).padStart(digits, '0');
}

/** The time step of a moment. @param atMs ms since 1970 UTC */
export function stepOf(atMs: number): number {
  return Math.floor(atMs / STEP_MS);
}

/**
 * Finds the time step of a code, at most one away from the present.
 * @param lastStep of the last code that was used: it and earlier ones are refused
 * @returns undefined for a wrong or used code
 */
export function findStep(
  secret: Uint8Array,
  code: string,
  { nowMs, lastStep }: { readonly nowMs: number; readonly lastStep: number },
): number | undefined {
  const typed = Buffer.from(code);
  if (typed.length !== DIGITS) return undefined;
  const now = stepOf(nowMs);
  let found: number | undefined;
  for (let step = now - SKEW; step <= now + SKEW; step += 1) {
    const isRight = timingSafeEqual(Buffer.from(codeOf(secret, step)), typed);
    if (isRight && step > lastStep) found = step;
  }
  return found;
}

/** Bytes as base32, without padding. @param bytes a multiple of five */
export function base32Of(bytes: Uint8Array): string {
  let text = '';
  let bits = 0;
  let held = 0;
  for (const byte of bytes) {
    held = (held << 8) | byte;
    for (bits += 8; bits >= 5; bits -= 5) text += ALPHABET[(held >> (bits - 5)) & 31];
    held &= (1 << bits) - 1;
  }
  return text;
}

/**
 * The address that a QR code gives to an app.
 * @param issuer the installation, as the app names it
 */
export function otpAddressOf(secret: Uint8Array, login: string, issuer: string): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(login)}`;
  const query = `secret=${base32Of(secret)}&issuer=${encodeURIComponent(issuer)}`;
  return `otpauth://totp/${label}?${query}`;
}
