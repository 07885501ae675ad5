import type { Socket } from 'node:net';
import type { FtpLimits } from './limits.ts';

/** The bytes of a data connection, and how it ended. */
export interface DataBytes {
  readonly bytes: AsyncIterable<Buffer>;
  /** Whether the sender ended it; else it broke, stood still, or was ended here. */
  isEnded(): boolean;
  /** Whether a byte has come. */
  hasBytes(): boolean;
}

/**
 * Reads a data connection until its end. A broken one ends, too, and throws nothing: what came before it counts.
 * @param awaitedBytes the bytes that the file still lacks; after so many the end is hardly waited for
 * @param limits `stallMs` without a byte, or `endMs` after the last awaited one, ms, end it
 */
export function readData(
  socket: Socket,
  awaitedBytes: number,
  { stallMs, endMs }: Pick<FtpLimits, 'stallMs' | 'endMs'>,
): DataBytes {
  let isEnded = false;
  let came = 0;
  socket.setTimeout(stallMs, () => socket.destroy());
  async function* read(): AsyncGenerator<Buffer> {
    try {
      for await (const piece of socket) {
        came += piece.length;
        if (came === awaitedBytes) socket.setTimeout(endMs);
        yield piece;
      }
      isEnded = true;
    } catch {
      // Broken: the registrar comes back for the rest.
    } finally {
      socket.destroy();
    }
  }
  return { bytes: read(), isEnded: () => isEnded, hasBytes: () => came > 0 };
}
