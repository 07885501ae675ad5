import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { MAX_BATCH_BYTES } from '@ridewatch/contract/unit';
import { AppError, hasErrorCode } from '../errors.ts';
import { checkJsonDepth } from '../json-body.ts';

/** Hears how large a body was, as it was sent and unpacked; also of one that was refused on the way, so far as it went. */
export type CountBytes = (sent: number, unpacked: number) => void;

/**
 * Reads a JSON body, packed or not, and stops as soon as it is larger than allowed, also while unpacking.
 * @param encoding the Content-Encoding header
 * @throws AppError too_large, unsupported_media_type or invalid_request
 */
export async function readJsonBody(
  payload: Readable,
  encoding: string | undefined,
  countBytes: CountBytes,
): Promise<unknown> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  const { unpacked, sentBytes } = unpack(payload, encoding);
  try {
    for await (const chunk of unpacked as AsyncIterable<Buffer>) {
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
  } finally {
    countBytes(sentBytes() ?? sizeBytes, sizeBytes);
  }
  const body = Buffer.concat(chunks);
  checkJsonDepth(body);
  try {
    return JSON.parse(body.toString('utf8'));
  } catch (cause) {
    throw new AppError('invalid_request', 'The body is not JSON.', { cause });
  }
}

interface Unpacked {
  readonly unpacked: Readable;
  /** Undefined when as many were sent as come out. */
  readonly sentBytes: () => number | undefined;
}

function unpack(payload: Readable, encoding: string | undefined): Unpacked {
  if (encoding === undefined || encoding === 'identity') {
    return { unpacked: payload, sentBytes: () => undefined };
  }
  if (encoding !== 'gzip') {
    throw new AppError('unsupported_media_type', 'Content-Encoding is gzip or absent.');
  }
  const gunzip = createGunzip();
  // A link that breaks must end the unpacking too, or it would wait for ever.
  payload.on('error', (error) => gunzip.destroy(error));
  return { unpacked: payload.pipe(gunzip), sentBytes: () => gunzip.bytesWritten };
}
