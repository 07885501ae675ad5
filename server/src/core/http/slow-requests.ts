// Whoever does not go on with what they send is let go of: a head that does not end, a body that stops coming. Else a few
// thousand connections that say nothing would be all that the server can hold.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { UPLOADS_PATH } from '@ridewatch/contract/unit';

export interface SlowLimits {
  /** From the first byte of a request, or the beginning of its connection, to the end of its head, ms. */
  readonly headMs: number;
  /** Without a byte of a body, ms. */
  readonly bodyPauseMs: number;
  /** Without a byte of an upload, ms. */
  readonly uploadPauseMs: number;
  /** For the whole of a body that is no upload, ms. */
  readonly bodyMs: number;
  /** How often all of this is looked at, ms. */
  readonly checkEveryMs: number;
}

export const slowLimits: SlowLimits = {
  headMs: 15_000,
  bodyPauseMs: 30_000,
  // A bus stands in a tunnel for two minutes and goes on; what is cut off later goes on from where it was.
  uploadPauseMs: 120_000,
  // 8 MiB at 40 kbit/s, which is a bad link.
  bodyMs: 30 * 60_000,
  checkEveryMs: 1000,
};

/** The addresses at which bytes of uploads are taken, and none that only begin alike. */
const UPLOAD_URL = new RegExp(`^${UPLOADS_PATH}(/[^/?]*)?(\\?|$)`);

interface Watched {
  readonly response: ServerResponse;
  readonly startMs: number;
  readonly mostPauseMs: number;
  readonly mostMs: number;
  bytes: number;
  byteMs: number;
}

export interface SlowBodies {
  /** Looks at all bodies that have not come to their end. */
  check(): void;
  /** How many there are. */
  readonly size: number;
}

/**
 * Watches the bodies of a server's requests, also of those that were answered before their body was read.
 * @param giveUp is told of a request whose body stopped coming
 * @param nowMs any clock that only goes forward
 */
export function watchBodies(
  server: Server,
  limits: SlowLimits,
  giveUp: (request: IncomingMessage, response: ServerResponse) => void,
  nowMs: () => number = () => performance.now(),
): SlowBodies {
  const open = new Map<IncomingMessage, Watched>();
  server.on('request', (request, response) => {
    if (!hasBody(request)) return;
    const startMs = nowMs();
    const isUpload = UPLOAD_URL.test(request.url ?? '');
    open.set(request, {
      response,
      startMs,
      mostPauseMs: isUpload ? limits.uploadPauseMs : limits.bodyPauseMs,
      mostMs: isUpload ? Number.POSITIVE_INFINITY : limits.bodyMs,
      bytes: request.socket.bytesRead,
      byteMs: startMs,
    });
  });
  const bodies: SlowBodies = {
    get size() {
      return open.size;
    },
    check: () => {
      const now = nowMs();
      for (const [request, watched] of open) {
        const { complete, socket } = request;
        if (complete || socket.destroyed) {
          open.delete(request);
          continue;
        }
        if (socket.bytesRead !== watched.bytes) {
          watched.bytes = socket.bytesRead;
          watched.byteMs = now;
        }
        const isSlow =
          now - watched.byteMs >= watched.mostPauseMs || now - watched.startMs >= watched.mostMs;
        if (!isSlow) continue;
        open.delete(request);
        giveUp(request, watched.response);
      }
    },
  };
  const timer = setInterval(() => bodies.check(), limits.checkEveryMs);
  timer.unref();
  server.once('close', () => clearInterval(timer));
  return bodies;
}

function hasBody({ headers, complete }: IncomingMessage): boolean {
  if (complete) return false;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
