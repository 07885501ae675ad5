import type { IncomingMessage } from 'node:http';

/** Most bytes of a refused body that are read and dropped. */
const MOST_DROPPED = 64 * 1024 * 1024;

/**
 * Reads and drops the rest of a body that is refused for its size, up to 64 MiB. Closing the connection before would
 * reset it, and a client that is still writing would see a broken pipe instead of the answer. Stalled bodies are closed
 * by `watchBodies`.
 */
export async function dropBody(request: IncomingMessage): Promise<void> {
  const length = Number(request.headers['content-length'] ?? 0);
  if (length > MOST_DROPPED || request.complete || request.destroyed) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  let dropped = 0;
  request.on('data', ({ length: bytes }: Buffer) => {
    dropped += bytes;
    if (dropped > MOST_DROPPED) resolve();
  });
  for (const event of ['end', 'close', 'error']) request.once(event, () => resolve());
  request.resume();
  await promise;
  request.removeAllListeners('data').pause();
}
