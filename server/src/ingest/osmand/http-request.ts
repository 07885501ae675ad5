// Steps that both ports of the OsmAnd form take before a request is read: its query, its encoding.
import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '../../core/errors.ts';

/** The query of an address, without the question mark. */
export function queryOf(url: string): string {
  const at = url.indexOf('?');
  return at === -1 ? '' : url.slice(at + 1);
}

/** @throws AppError unsupported_media_type for a compressed body: no sender compresses */
export function checkEncoding(headers: IncomingHttpHeaders): void {
  const { 'content-encoding': encoding = 'identity' } = headers;
  if (encoding.toLowerCase() === 'identity') return;
  throw new AppError('unsupported_media_type', 'The body must not be compressed.', {
    field: 'Content-Encoding',
  });
}
