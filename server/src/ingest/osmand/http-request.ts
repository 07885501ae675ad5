// Steps that both ports of the OsmAnd form take before a request is read: its query, its encoding, its body.
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { AppError } from '../../core/errors.ts';

/** A batch of a phone that was long without a network has a few hundred bytes a record. */
export const MOST_BODY_BYTES = 64 * 1024;

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

/**
 * Reads a body.
 * @throws AppError too_large as soon as it is, the rest unread; request_timeout when its sender is gone
 */
export function readBody(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let length = 0;
    const end = (settle: () => void): void => {
      request.off('data', take).off('end', whole).off('close', gone).off('error', gone);
      settle();
    };
    const take = (part: Buffer): void => {
      length += part.length;
      if (length <= MOST_BODY_BYTES) parts.push(part);
      else end(() => reject(tooLarge()));
    };
    const whole = (): void => end(() => resolve(Buffer.concat(parts)));
    const gone = (): void => {
      const message = 'The request ended before it was complete.';
      end(() => reject(new AppError('request_timeout', message)));
    };
    if (Number(request.headers['content-length'] ?? 0) > MOST_BODY_BYTES) {
      reject(tooLarge());
      return;
    }
    request.on('data', take).on('end', whole).on('close', gone).on('error', gone);
  });
}

const tooLarge = (): AppError =>
  new AppError('too_large', `The body may have at most ${MOST_BODY_BYTES} bytes.`);
