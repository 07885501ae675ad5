// Files that are sent while they are written. A small one is written first and then holds nothing; large ones are few at a
// time, of one customer fewer, and end when their reader is too slow.
import { Readable } from 'node:stream';
import { AppError } from '../core/errors.ts';
import { createTurns } from '../core/turns.ts';
import type { Viewer } from '../core/viewer.ts';
import type { WrittenFile } from './file-thread.ts';

/** A file of so many bytes is written before it is sent. */
const SMALL_BYTES = 256 * 1024;
/** Most larger files that a process sends at once, and most of one customer. Each has a thread of up to 60 MB. */
const MOST_FILES = 6;
const MOST_OF_ONE = 2;
/** Beginnings that are written at once, one of a customer: a heavy one delays nobody else. */
const MOST_BEGINNINGS = 4;
/** Longest wait for the beginning of a file, ms. */
const WAIT_MS = 20_000;
/** When to ask again, s. */
const RETRY_S = 10;
/** A reader who takes less than this after `patienceMs` of waiting for that reader is let go, bytes a second. */
const LEAST_RATE = 32 * 1024;
const PATIENCE_MS = 30_000;

/** The files that one process sends. */
export interface SentFiles {
  /**
   * Begins to send a file.
   * @throws AppError unavailable when too many are written or sent; whatever `open` throws
   */
  begin(viewer: Viewer, open: () => Promise<WrittenFile>): Promise<Readable>;
}

/** @param patienceMs see PATIENCE_MS */
export function createSentFiles(patienceMs = PATIENCE_MS): SentFiles {
  const message = 'Too many files are being sent. Wait for one, or request a report.';
  const turns = createTurns({
    ...{ mostWaiting: 24, mostOfOne: 6, atOnce: MOST_BEGINNINGS },
    message,
    retryAfterS: RETRY_S,
  });
  const customers: number[] = [];

  function takePlace(customer: number): () => void {
    const own = customers.filter((one) => one === customer);
    if (customers.length >= MOST_FILES || own.length >= MOST_OF_ONE) {
      throw new AppError('unavailable', message, { retryAfterS: RETRY_S });
    }
    customers.push(customer);
    return () => void customers.splice(customers.indexOf(customer), 1);
  }

  return {
    begin: async (viewer, open) => {
      const customer = customerOf(viewer);
      const end = await turns.take(customer, WAIT_MS);
      const begun = await beginningOf(open).finally(end);
      if (begun.isWhole) return Readable.from(begun.parts);
      const { written, parts, rest } = begun;
      try {
        const leave = takePlace(customer);
        const stream: Readable = Readable.from(
          sendAll(parts, rest, patienceMs, (why) => stream.destroy(new Error(why))),
        );
        return stream.once('close', () => {
          leave();
          void written.close();
        });
      } catch (error) {
        await written.close();
        throw error;
      }
    },
  };
}

// Administrators have no customer, and no limit in common.
const customerOf = ({ clientId, userId }: Viewer): number => clientId ?? -userId;

interface Beginning {
  readonly written: WrittenFile;
  readonly parts: readonly Buffer[];
  readonly rest: AsyncIterator<Buffer>;
  readonly isWhole: boolean;
}

async function beginningOf(open: () => Promise<WrittenFile>): Promise<Beginning> {
  const written = await open();
  try {
    const rest = written[Symbol.asyncIterator]();
    const parts: Buffer[] = [];
    for (let bytes = 0; bytes <= SMALL_BYTES; ) {
      const next = await rest.next();
      if (next.done === true) return { written, parts, rest, isWhole: true };
      parts.push(next.value);
      bytes += next.value.length;
    }
    return { written, parts, rest, isWhole: false };
  } catch (error) {
    await written.close();
    throw error;
  }
}

async function* sendAll(
  parts: readonly Buffer[],
  rest: AsyncIterator<Buffer>,
  patienceMs: number,
  letGo: (why: string) => void,
): AsyncGenerator<Buffer> {
  let [sent, waitedMs] = [0, 0];
  async function* watched(part: Buffer): AsyncGenerator<Buffer> {
    const began = performance.now();
    const tooSlow = `The reader took ${sent} bytes in ${patienceMs} ms or longer.`;
    // The reader of all that was sent may take this long for this part, too.
    const leftMs = Math.max(patienceMs, (sent / LEAST_RATE) * 1000) - waitedMs;
    const timer = setTimeout(letGo, Math.max(1, leftMs), tooSlow).unref();
    try {
      yield part;
    } finally {
      clearTimeout(timer);
      waitedMs += performance.now() - began;
      sent += part.length;
    }
  }
  for (const part of parts) yield* watched(part);
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) {
    yield* watched(next.value);
  }
}
