import type { ByteRange } from '../../storage/storage.ts';

/** What to send: all of it, a part of it, or nothing because the part does not exist. */
export type Wanted = { kind: 'whole' } | { kind: 'part'; range: ByteRange } | { kind: 'none' };

/**
 * Reads a Range header (RFC 9110, section 14). Several ranges, other units and malformed ones are
 * answered with the whole, as the standard allows.
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
