import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { createGunzip, gunzipSync } from 'node:zlib';
import { MAX_BATCH_BYTES } from '@ridewatch/contract/unit';
import { AppError, hasErrorCode } from '../../core/errors.ts';
import { checkJsonDepth } from '../../core/http/json-body.ts';

/** Called with the size of a body, compressed and decompressed; of a refused one with the bytes so far. */
export type CountBytes = (sent: number, unpacked: number) => void;

/** Up to this size a body is decompressed synchronously: that costs less than another thread, bytes. */
const SMALL_SENT_BYTES = 8 * 1024;
/** Synchronous decompression blocks the event loop for less than a millisecond. */
const SMALL_UNPACKED_BYTES = 256 * 1024;

/**
 * Reads a JSON body, gzipped or not, and stops as soon as it exceeds the limit, also while decompressing.
 * @param encoding the Content-Encoding header
 * @throws AppError too_large, unsupported_media_type or invalid_request
 */
export async function readJsonBody(
  payload: IncomingMessage,
  encoding: string | undefined,
  countBytes: CountBytes,
): Promise<unknown> {
  const body = isSmall(payload, encoding)
    ? await unpackSmall(payload, countBytes)
    : await readUnpacked(payload, encoding, countBytes);
  checkJsonDepth(body);
  try {
    return JSON.parse(body.toString('utf8'));
  } catch (cause) {
    throw new AppError('invalid_request', 'The body is not JSON.', { cause });
  }
}

// A chunked body has no Content-Length.
function isSmall({ headers }: IncomingMessage, encoding: string | undefined): boolean {
  return encoding === 'gzip' && Number(headers['content-length'] ?? Number.NaN) <= SMALL_SENT_BYTES;
}

async function unpackSmall(payload: Readable, countBytes: CountBytes): Promise<Buffer> {
  const sent = Buffer.concat(await payload.toArray());
  try {
    const body = gunzipSync(sent, { maxOutputLength: SMALL_UNPACKED_BYTES });
    countBytes(sent.length, body.length);
    return body;
  } catch {
    // Damaged or too large: the code below says which.
    return readUnpacked(Readable.from([sent]), 'gzip', countBytes);
  }
}

async function readUnpacked(
  payload: Readable,
  encoding: string | undefined,
  countBytes: CountBytes,
): Promise<Buffer> {
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
  return Buffer.concat(chunks);
}

interface Unpacked {
  readonly unpacked: Readable;
  /** Undefined for an uncompressed body. */
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
  // A broken connection must end the decompression, too, or it would wait forever.
  payload.on('error', (error) => gunzip.destroy(error));
  return { unpacked: payload.pipe(gunzip), sentBytes: () => gunzip.bytesWritten };
}
