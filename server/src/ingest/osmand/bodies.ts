// Bodies on their way to a port. Anybody may begin one, so those that arrive are limited in number, memory and time, apart
// from the requests that are being stored.
import type { IncomingMessage } from 'node:http';
import { AppError } from '../../core/errors.ts';
import { gatherBytes } from '../../core/gathered-bytes.ts';
import { dropBody } from '../../core/http/refused-bodies.ts';
import { Busy } from './busy.ts';

/** A batch of a phone that was long without a network has a few hundred bytes a record. */
export const MOST_BODY_BYTES = 64 * 1024;
/** Bodies of a port that arrive at the same time in a process, 32 MiB. */
const MOST_ARRIVING = 512;
/** How long a body may take, ms: 64 KiB at 10 kbit/s. */
export const BODY_MS = 60_000;

/** Limits of a port; tests have smaller ones. */
export interface PortLimits {
  /** Bodies on their way. */
  readonly mostArriving?: number | undefined;
  /** Requests that are being stored. */
  readonly mostAtOnce?: number | undefined;
  /** How long a body may take, ms. */
  readonly bodyMs?: number | undefined;
}

/** The bodies of a port. */
export interface Bodies {
  /**
   * Reads a body.
   * @throws AppError too_large; request_timeout when its sender is gone or too slow; Busy when others came after it and
   *   too many were on their way
   */
  read(request: IncomingMessage): Promise<Buffer>;
}

/**
 * Makes the reader of a port's bodies. One that comes when too many are on their way takes the place of the one that has
 * been for longest: that of a phone is there at once, and those that drip keep nobody out.
 */
export function createBodies({
  mostArriving = MOST_ARRIVING,
  bodyMs = BODY_MS,
}: PortLimits = {}): Bodies {
  /** What gives up each of them, the one that began first at first. */
  const arriving = new Set<(error: AppError) => void>();

  function receive(request: IncomingMessage): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      const gathered = gatherBytes(MOST_BODY_BYTES);
      const end = (): void => {
        clearTimeout(late);
        arriving.delete(giveUp);
        request.off('data', take).off('end', whole).off('close', gone).off('error', gone);
      };
      const giveUp = (error: AppError): void => {
        end();
        reject(error);
      };
      const take = (part: Buffer): void => {
        if (gathered.length + part.length > MOST_BODY_BYTES) giveUp(tooLarge());
        else gathered.add(part);
      };
      const whole = (): void => {
        end();
        resolve(gathered.whole());
      };
      const gone = (): void => giveUp(tooSlow());
      const late = setTimeout(gone, bodyMs);
      const [oldest] = arriving;
      if (arriving.size >= mostArriving) {
        oldest?.(new Busy());
      }
      arriving.add(giveUp);
      request.on('data', take).on('end', whole).on('close', gone).on('error', gone);
    });
  }

  return {
    read: async (request) => {
      try {
        if (Number(request.headers['content-length'] ?? 0) > MOST_BODY_BYTES) throw tooLarge();
        return await receive(request);
      } catch (error) {
        if (error instanceof AppError && error.code === 'too_large') await dropBody(request);
        throw error;
      }
    },
  };
}

const tooSlow = (): AppError =>
  new AppError('request_timeout', 'The request ended before it was complete.');

const tooLarge = (): AppError =>
  new AppError('too_large', `The body may have at most ${MOST_BODY_BYTES} bytes.`);
