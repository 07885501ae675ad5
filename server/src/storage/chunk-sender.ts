// Bytes go out of buffers that are used again. A stream takes new memory for each piece that it reads; that the system
// has to find and clear it costs more than reading the file.
import type { FileHandle } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import type { ByteRange } from './storage.ts';

/** Large enough that a range of a video is a few reads, small enough for thousands of viewers. */
const CHUNK_BYTES = 256 * 1024;
const MOST_SPARE = 32;

export interface ChunkSender {
  /**
   * Writes a part of a file to a target and ends it.
   * @throws Error when the target breaks, or the file is shorter
   */
  send(file: FileHandle, range: ByteRange, target: Writable): Promise<void>;
}

/** Sends parts of files, however many at once. */
export function createChunkSender(): ChunkSender {
  const spare: Buffer[] = [];
  return {
    send: async (file, { from, to }, target) => {
      const write = createWriter(target);
      const chunk = spare.pop() ?? Buffer.allocUnsafeSlow(CHUNK_BYTES);
      for (let at = from; at <= to; ) {
        const { bytesRead } = await file.read(chunk, 0, Math.min(CHUNK_BYTES, to - at + 1), at);
        if (bytesRead === 0) throw new Error('The file is shorter than it was.');
        await write(chunk.subarray(0, bytesRead));
        at += bytesRead;
      }
      target.end();
      // Only now: a target that broke may still hold on to its bytes.
      if (spare.length < MOST_SPARE) spare.push(chunk);
    },
  };
}

// Resolves when the bytes have left the buffer. A target that closes early does not call back what it has not begun.
function createWriter(target: Writable): (bytes: Buffer) => Promise<void> {
  let waiting: ((error: Error) => void) | undefined;
  target.once('close', () => waiting?.(new PrematureClose()));
  return (bytes) =>
    new Promise((resolve, reject) => {
      if (target.destroyed) {
        reject(new PrematureClose());
        return;
      }
      waiting = reject;
      target.write(bytes, (error) => {
        waiting = undefined;
        if (error) reject(error);
        else resolve();
      });
    });
}

/** What a stream says, too, when the other side goes away. */
class PrematureClose extends Error {
  readonly code = 'ERR_STREAM_PREMATURE_CLOSE';
}
