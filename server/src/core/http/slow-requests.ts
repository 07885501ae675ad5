// Closes connections that stall: headers that do not end, a body that stops. Else a few thousand idle connections would
// be all that the server can hold.
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { UPLOADS_PATH } from '@ridewatch/contract/unit';

export interface SlowLimits {
  /** From the start of the connection or the first byte of a request to the end of its headers, ms. */
  readonly headMs: number;
  /** Without a byte of a body, ms. */
  readonly bodyPauseMs: number;
  /** Without a byte of an upload, ms. */
  readonly uploadPauseMs: number;
  /** For a whole body that is not an upload, ms. */
  readonly bodyMs: number;
  /** Interval of the checks, ms. */
  readonly checkEveryMs: number;
}

export const slowLimits: SlowLimits = {
  headMs: 15_000,
  bodyPauseMs: 30_000,
  // A bus may stand in a tunnel for two minutes. An upload that is closed later resumes from its offset.
  uploadPauseMs: 120_000,
  // 8 MiB at 40 kbit/s, which is a bad link.
  bodyMs: 30 * 60_000,
  checkEveryMs: 1000,
};

/** The addresses of upload chunks, and no others that begin alike. */
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
  /** Checks all bodies that have not ended. */
  check(): void;
  /** How many there are. */
  readonly size: number;
}

/**
 * Watches the request bodies of a server, also those answered before they were read.
 * @param giveUp called with a request whose body stalled
 * @param nowMs any monotonic clock
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
