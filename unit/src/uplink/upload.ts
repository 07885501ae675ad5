// Uploads one file in chunks (tus 1.0) and resumes after a lost link: received chunks are not sent again.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { UPLOADS_PATH } from '@ridewatch/contract/unit';
import { backoffMs } from './backoff.ts';
import { type Connection, UplinkError } from './connection.ts';
import type { Timers } from './timers.ts';

const CHUNK_BYTES = 4 * 1024 * 1024;
/** After this many failed attempts in a row of one request the upload waits for its next turn. */
const MOST_FAILURES = 10;
/** Most uploads that are created for one file. */
const MOST_UPLOADS = 3;

export interface UploadOptions {
  readonly connection: Pick<Connection, 'request'>;
  readonly timers: Timers;
  /** The fragment by its announcement. */
  readonly announced: { readonly stream: string; readonly seq: number };
  readonly file: string;
  readonly signal?: AbortSignal;
}

/**
 * Uploads the video of an announced fragment.
 * @returns false when the server does not want it: it is already stored, or was not requested
 * @throws UplinkError when it is refused, or the link stays down; the signal's reason when that is aborted
 */
export async function uploadVideo(options: UploadOptions): Promise<boolean> {
  const { connection, announced, file } = options;
  const handle = await open(file);
  try {
    const { size } = await handle.stat();
    const sha256 = await hashOf(file);
    for (let uploads = 1; ; uploads += 1) {
      options.signal?.throwIfAborted();
      const location = await withRetries(options, () =>
        create(connection, size, { ...announced, sha256 }),
      );
      if (location === undefined) return false;
      try {
        await sendChunks(options, handle, size, location);
        return true;
      } catch (error) {
        // The server has deleted the upload: it was discarded, or it was complete and the last answer was lost. Only a
        // new one can tell.
        const closed = error instanceof UplinkError && error.status === 404;
        if (!closed || uploads === MOST_UPLOADS) throw error;
      }
    }
  } finally {
    await handle.close();
  }
}

async function sendChunks(
  options: UploadOptions,
  handle: FileHandle,
  size: number,
  location: string,
): Promise<void> {
  let offset = 0;
  while (offset < size) {
    options.signal?.throwIfAborted();
    const chunk = Buffer.alloc(Math.min(CHUNK_BYTES, size - offset));
    await handle.read(chunk, 0, chunk.length, offset);
    const from = offset;
    offset = await withRetries(options, () => sendChunk(options.connection, location, chunk, from));
  }
}

async function hashOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

async function create(
  connection: Pick<Connection, 'request'>,
  size: number,
  metadata: Readonly<Record<string, string | number>>,
): Promise<string | undefined> {
  const encoded = Object.entries(metadata)
    .map(([name, value]) => `${name} ${Buffer.from(String(value)).toString('base64')}`)
    .join(',');
  try {
    const answer = await connection.request(UPLOADS_PATH, {
      method: 'POST',
      headers: {
        'tus-resumable': '1.0.0',
        'upload-length': String(size),
        'upload-metadata': encoded,
      },
    });
    await answer.body?.cancel();
    const location = answer.headers.get('location');
    if (location === null)
      throw new UplinkError('The answer to the creation of an upload has no Location.', 502, '');
    return location;
  } catch (error) {
    if (error instanceof UplinkError && error.status === 409) return undefined;
    throw error;
  }
}

// After a lost answer the server may have more bytes than the unit assumes: HEAD returns its offset.
async function sendChunk(
  connection: Pick<Connection, 'request'>,
  location: string,
  chunk: Buffer,
  offset: number,
): Promise<number> {
  const tus = { 'tus-resumable': '1.0.0' };
  try {
    const answer = await connection.request(location, {
      method: 'PATCH',
      headers: {
        ...tus,
        'upload-offset': String(offset),
        'content-type': 'application/offset+octet-stream',
      },
      body: new Uint8Array(chunk),
    });
    await answer.body?.cancel();
    return Number(answer.headers.get('upload-offset'));
  } catch (error) {
    if (!(error instanceof UplinkError) || error.status !== 409) throw error;
    const asked = await connection.request(location, { method: 'HEAD', headers: tus });
    return Number(asked.headers.get('upload-offset'));
  }
}

async function withRetries<T>(
  { timers, signal }: Pick<UploadOptions, 'timers' | 'signal'>,
  attempt: () => Promise<T>,
): Promise<T> {
  for (let failures = 1; ; failures += 1) {
    try {
      return await attempt();
    } catch (error) {
      const isTransient = error instanceof UplinkError && error.isTransient;
      if (!isTransient || failures === MOST_FAILURES || signal?.aborted) throw error;
      await timers.sleep(backoffMs(failures), signal);
    }
  }
}
