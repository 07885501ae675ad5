// Sends files from reused buffers. A stream allocates memory for each chunk, and allocating and clearing it costs more
// than reading the file.
import type { FileHandle } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import type { ByteRange } from './storage.ts';

/** Large enough that a range of a video is a few reads, small enough for thousands of viewers. */
const CHUNK_BYTES = 256 * 1024;
const MOST_SPARE = 32;

export interface ChunkSender {
  /** Writes a range of a file to a target and ends it. @throws Error when the target breaks or the file is shorter */
  send(file: FileHandle, range: ByteRange, target: Writable): Promise<void>;
}

/** Sends ranges of files concurrently. */
export function createChunkSender(): ChunkSender {
  const spare: Buffer[] = [];
  return {
    send: async (file, { from, to }, target) => {
      const write = createWriter(target);
      const chunk = spare.pop() ?? Buffer.allocUnsafeSlow(CHUNK_BYTES);
      for (let at = from; at <= to; ) {
        const { bytesRead } = await file.read(chunk, 0, Math.min(CHUNK_BYTES, to - at + 1), at);
        if (bytesRead === 0) throw new Error('The file became shorter while it was sent.');
        await write(chunk.subarray(0, bytesRead));
        at += bytesRead;
      }
      target.end();
      // Only now: a broken target may still hold the buffer.
      if (spare.length < MOST_SPARE) spare.push(chunk);
    },
  };
}

// Resolves when the buffer is free. A target that closes early does not call back for writes that it has not begun.
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

/** The error of a stream whose peer has closed. */
class PrematureClose extends Error {
  readonly code = 'ERR_STREAM_PREMATURE_CLOSE';
}
