// Digits in half bytes.

/** Bytes of a time: year, month, day, hour, minute and second. */
export const TIME_BYTES = 6;
const CENTURY = 2000;
/** Stands for a time that is no date: the first one of the form, which no record may have. ms since 1970 UTC. */
export const UNKNOWN_TIME_MS = Date.UTC(CENTURY);
const HOUR_MS = 3_600_000;

/**
 * A terminal's number without the zeros before it; null for nothing but zeros. Some terminals put an IMEI as a binary number
 * there, so half bytes beyond 9 are letters of the number, as hexadecimal digits.
 */
export function numberOf(bytes: Buffer): string | null {
  return bytes.toString('hex').replace(/^0+/, '') || null;
}

/**
 * Reads a time, of whole seconds. It throws nothing.
 * @param at where its six bytes begin; bytes that are not there make no time
 * @param clockHours how far the terminal's clock is ahead of UTC, hours
 * @returns ms since 1970 UTC; undefined when there is no such time
 */
export function readTime(bytes: Buffer, at: number, clockHours: number): number | undefined {
  const [year = 0, month = 0, ...rest] = [0, 1, 2, 3, 4, 5].map((n) => pairOf(bytes[at + n]));
  const [day = 0, hour = 0, minute = 0, second = 0] = rest;
  // 31 April becomes 1 May, 24:00 the next day, and a half byte that is no digit NaN.
  const time = new Date(Date.UTC(CENTURY + year, month - 1, day, hour, minute, second));
  const isSame =
    time.getUTCMonth() === month - 1 &&
    time.getUTCDate() === day &&
    time.getUTCHours() === hour &&
    time.getUTCMinutes() === minute &&
    time.getUTCSeconds() === second;
  return isSame ? time.getTime() - clockHours * HOUR_MS : undefined;
}

/**
 * A time in half bytes.
 * @param timeMs ms since 1970 UTC, of the years 2000 to 2099; what it has beyond whole seconds is left out
 * @param clockHours how far the terminal's clock is ahead of UTC, hours
 */
export function bcdTime(timeMs: number, clockHours: number): Buffer {
  const digits = new Date(timeMs + clockHours * HOUR_MS).toISOString().replaceAll(/\D/g, '');
  return Buffer.from(digits.slice(2, 14), 'hex');
}

function pairOf(byte: number | undefined): number {
  if (byte === undefined) return Number.NaN;
  const [tens, ones] = [byte >> 4, byte & 0x0f];
  return tens > 9 || ones > 9 ? Number.NaN : tens * 10 + ones;
}
