import type { ByteRange } from '../../storage/storage.ts';

/** The bytes to send: the whole file, a range, or nothing because the range does not exist. */
export type Wanted = { kind: 'whole' } | { kind: 'part'; range: ByteRange } | { kind: 'none' };

/**
 * Parses a Range header (RFC 9110, section 14). Several ranges, other units and malformed headers get the whole file,
 * as the standard allows.
 */
export function readRange(header: string | undefined, sizeBytes: number): Wanted {
  const match = /^bytes=\s*(\d*)-(\d*)\s*$/i.exec(header ?? '');
  if (match === null || (match[1] === '' && match[2] === '')) return { kind: 'whole' };
  const [, first = '', last = ''] = match;
  if (first === '') {
    const length = Math.min(Number(last), sizeBytes);
    if (length === 0) return { kind: 'none' };
    return { kind: 'part', range: { from: sizeBytes - length, to: sizeBytes - 1 } };
  }
  const from = Number(first);
  const to = last === '' ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1);
  if (last !== '' && Number(last) < from) return { kind: 'whole' };
  if (from >= sizeBytes) return { kind: 'none' };
  return { kind: 'part', range: { from, to } };
}
