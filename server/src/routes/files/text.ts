import { u8 } from '@ridewatch/contract/columns';
import { message } from './messages.ts';
import { FileRefusal } from './route-file.ts';

/** Text and its encoding. */
export interface Decoded {
  readonly text: string;
  readonly encoding: string;
}

/** Bytes that are examined for UTF-16 without a byte order mark, and for a declared encoding. */
const SAMPLE_BYTES = 4096;

/**
 * Decodes text by its byte order mark or declared encoding, else as UTF-8, else in a single-byte code page.
 * @throws FileRefusal if it is not text
 */
export function decodeText(bytes: Uint8Array): Decoded {
  const encoding = encodingOf(bytes);
  const text = new TextDecoder(encoding).decode(bytes);
  if (text.includes('\0')) throw new FileRefusal(message('noText'));
  return { text, encoding };
}

/** Detects an encoding. @returns its name for TextDecoder */
export function encodingOf(bytes: Uint8Array): string {
  const [first, second, third] = bytes;
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  const zeros = { even: 0, odd: 0 };
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  for (const [index, byte] of sample.entries()) {
    if (byte === 0) zeros[index % 2 === 0 ? 'even' : 'odd'] += 1;
  }
  // In UTF-16 every second byte of an ASCII letter is zero.
  if (zeros.odd > sample.length / 4) return 'utf-16le';
  if (zeros.even > sample.length / 4) return 'utf-16be';
  return declared(sample) ?? (isUtf8(bytes) ? 'utf-8' : codePageOf(bytes));
}

function declared(sample: Uint8Array): string | undefined {
  const head = new TextDecoder('latin1').decode(sample.subarray(0, 200));
  const name = /^\s*<\?xml[^>]*\bencoding\s*=\s*["']([\w.-]+)["']/.exec(head)?.[1];
  if (name === undefined) return undefined;
  try {
    const { encoding } = new TextDecoder(name);
    // UTF-16 was detected above, and many files declare UTF-8 wrongly.
    return encoding.startsWith('utf') ? undefined : encoding;
  } catch {
    return undefined;
  }
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

// Cyrillic words are runs of high bytes; accented letters of western languages lie between ASCII ones.
function codePageOf(bytes: Uint8Array): string {
  let inRuns = 0;
  let alone = 0;
  for (let n = 0; n < bytes.length; n += 1) {
    if (u8(bytes, n) < 0xc0) continue;
    const hasNeighbour = (bytes[n - 1] ?? 0) >= 0xc0 || (bytes[n + 1] ?? 0) >= 0xc0;
    if (hasNeighbour) inRuns += 1;
    else alone += 1;
  }
  return inRuns > alone ? 'windows-1251' : 'windows-1252';
}
