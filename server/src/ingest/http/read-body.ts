import type { IncomingMessage } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { MAX_BATCH_BYTES } from '@ridewatch/contract/unit';
import { AppError, hasErrorCode } from '../../core/errors.ts';
import { gatherBytes } from '../../core/gathered-bytes.ts';
import { checkJsonDepth } from '../../core/http/json-body.ts';

/** A larger body is unpacked and parsed in a thread, bytes as sent: 1,500 to 2,500 records. */
const MAX_PACKED_HERE_BYTES = 32 * 1024;
/** The same unpacked, 2,500 records: decompressing and parsing so much holds up the event loop for 3 ms. */
const MAX_PARSED_HERE_BYTES = 384 * 1024;

/** A body as it was sent, for a thread. */
export class LargeBody {
  readonly bytes: Buffer;
  readonly isPacked: boolean;

  constructor(bytes: Buffer, isPacked: boolean) {
    this.bytes = bytes;
    this.isPacked = isPacked;
  }
}

/** Told of the size of a body as it was sent, and once it is unpacked. */
export type CountBytes = (form: 'sent' | 'unpacked', bytes: number) => void;

/**
 * Reads a JSON body, gzipped or not, and stops as soon as it exceeds the limit.
 * @param encoding the Content-Encoding header
 * @returns its value, or its bytes when it is large
 * @throws AppError too_large, unsupported_media_type or invalid_request
 */
export async function readJsonBody(
  payload: IncomingMessage,
  encoding: string | undefined,
  countBytes: CountBytes,
): Promise<unknown> {
  const isPacked = isGzip(encoding);
  const bytes = await collect(payload, countBytes);
  if (bytes.length > (isPacked ? MAX_PACKED_HERE_BYTES : MAX_PARSED_HERE_BYTES)) {
    return new LargeBody(bytes, isPacked);
  }
  const body = isPacked ? unpack(bytes, MAX_PARSED_HERE_BYTES) : bytes;
  if (body === undefined) return new LargeBody(bytes, isPacked);
  countBytes('unpacked', body.length);
  return parseJson(body);
}

/**
 * Decompresses a large body.
 * @throws AppError too_large or invalid_request
 */
export function unpackLarge(bytes: Buffer, isPacked: boolean): Buffer {
  const body = isPacked ? unpack(bytes, MAX_BATCH_BYTES) : bytes;
  if (body === undefined) throw tooLarge();
  return body;
}

/**
 * Parses JSON.
 * @param body in UTF-8
 * @throws AppError invalid_request
 */
export function parseJson(body: Buffer): unknown {
  checkJsonDepth(body);
  try {
    return JSON.parse(body.toString('utf8'));
  } catch (cause) {
    throw new AppError('invalid_request', 'The body is not JSON.', { cause });
  }
}

function isGzip(encoding: string | undefined): boolean {
  if (encoding === undefined || encoding === 'identity') return false;
  if (encoding === 'gzip') return true;
  throw new AppError('unsupported_media_type', 'Content-Encoding is gzip or absent.');
}

async function collect(payload: IncomingMessage, countBytes: CountBytes): Promise<Buffer> {
  const gathered = gatherBytes(MAX_BATCH_BYTES);
  try {
    for await (const chunk of payload as AsyncIterable<Buffer>) {
      if (gathered.length + chunk.length > MAX_BATCH_BYTES) throw tooLarge();
      gathered.add(chunk);
    }
  } finally {
    countBytes('sent', gathered.length);
  }
  return gathered.whole();
}

// Undefined when it exceeds the limit.
function unpack(bytes: Buffer, mostBytes: number): Buffer | undefined {
  try {
    return gunzipSync(bytes, { maxOutputLength: mostBytes });
  } catch (cause) {
    if (hasErrorCode(cause, 'ERR_BUFFER_TOO_LARGE')) return undefined;
    throw new AppError('invalid_request', 'The body is not intact gzip.', { cause });
  }
}

function tooLarge(): AppError {
  return new AppError('too_large', `A batch has at most ${MAX_BATCH_BYTES} bytes unpacked.`);
}
