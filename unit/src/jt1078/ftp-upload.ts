// Uploads a recording by FTP. A link that breaks costs only what was on its way: the next try goes on behind the bytes that
// the server has.
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Client, FTPError } from 'basic-ftp';
import type { Timers } from '../uplink/timers.ts';
import type { UploadRequest } from './messages.ts';

/** Silence that ends a connection, ms. */
const SILENCE_MS = 30_000;
/** Pause before the next try, ms. */
const RETRY_MS = 5000;
/** Tries without a new byte after which an upload fails. */
const MOST_TRIES = 30;
/** Answers after which another try has the same end: a wrong login, a file that is too large or has no room. */
const FINAL: readonly number[] = [530, 552, 553];
const NO_FILE = 550;

export interface FtpUpload extends Pick<UploadRequest, 'host' | 'port' | 'user' | 'password'> {
  /** Path of the file here, and its path there. */
  readonly file: string;
  readonly remotePath: string;
  readonly timers: Timers;
  /** Pause before the next try, ms. */
  readonly retryMs?: number;
}

/**
 * Uploads a file, in as many tries as it takes.
 * @throws Error when the server refuses it, or gets no further byte in 30 tries; the signal's reason when that is aborted
 */
export async function uploadByFtp(upload: FtpUpload, signal: AbortSignal): Promise<void> {
  const { timers, retryMs = RETRY_MS } = upload;
  let furthest = 0;
  for (let tries = 1; ; tries += 1) {
    const tried = await tryOnce(upload, signal);
    signal.throwIfAborted();
    if (tried.error === undefined) return;
    if (isFinal(tried.error) || tries >= MOST_TRIES) throw tried.error;
    if (tried.fromBytes > furthest) {
      furthest = tried.fromBytes;
      tries = 0;
    }
    await timers.sleep(retryMs, signal);
    signal.throwIfAborted();
  }
}

/** One connection. @returns where it began, bytes, and the error with which it ended */
async function tryOnce(
  { host, port, user, password, file, remotePath }: FtpUpload,
  signal: AbortSignal,
): Promise<{ fromBytes: number; error: unknown }> {
  const client = new Client(SILENCE_MS);
  const close = (): void => client.close();
  signal.addEventListener('abort', close);
  let fromBytes = 0;
  try {
    signal.throwIfAborted();
    await client.access({ host, port, user, password });
    fromBytes = await storedBytes(client, remotePath);
    const { size } = await stat(file);
    const rest = createReadStream(file, { start: fromBytes });
    try {
      if (fromBytes === 0) await client.uploadFrom(rest, remotePath);
      else if (fromBytes < size) await client.appendFrom(rest, remotePath);
    } finally {
      rest.destroy();
    }
    return { fromBytes, error: undefined };
  } catch (error) {
    return { fromBytes, error };
  } finally {
    signal.removeEventListener('abort', close);
    client.close();
  }
}

/** The length of what an earlier try has stored; 0 without one. */
async function storedBytes(client: Client, remotePath: string): Promise<number> {
  return client.size(remotePath).catch((error: unknown) => {
    if (error instanceof FTPError && error.code === NO_FILE) return 0;
    throw error;
  });
}

const isFinal = (error: unknown): boolean =>
  error instanceof FTPError && FINAL.includes(error.code);
