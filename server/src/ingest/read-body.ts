import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { MAX_BATCH_BYTES } from '@ridewatch/contract/unit';
import { AppError, hasErrorCode } from '../errors.ts';

/**
 * Reads a JSON body, packed or not, and stops as soon as it is larger than allowed, also while unpacking.
 * @param encoding the Content-Encoding header
 * @throws AppError too_large, unsupported_media_type or invalid_request
 */
export async function readJsonBody(
  payload: Readable,
  encoding: string | undefined,
): Promise<unknown> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  try {
    for await (const chunk of unpack(payload, encoding) as AsyncIterable<Buffer>) {
      sizeBytes += chunk.length;
      if (sizeBytes > MAX_BATCH_BYTES) {
        throw new AppError('too_large', `A batch has at most ${MAX_BATCH_BYTES} bytes unpacked.`);
      }
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof AppError) throw error;
    if (hasErrorCode(error, 'ECONNRESET')) throw error;
    throw new AppError('invalid_request', 'The body is not intact gzip.', { cause: error });
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch (cause) {
    throw new AppError('invalid_request', 'The body is not JSON.', { cause });
  }
}

function unpack(payload: Readable, encoding: string | undefined): Readable {
  if (encoding === undefined || encoding === 'identity') return payload;
  if (encoding !== 'gzip') {
    throw new AppError('unsupported_media_type', 'Content-Encoding is gzip or absent.');
  }
  const gunzip = createGunzip();
  // A link that breaks must end the unpacking too, or it would wait for ever.
  payload.on('error', (error) => gunzip.destroy(error));
  return payload.pipe(gunzip);
}
