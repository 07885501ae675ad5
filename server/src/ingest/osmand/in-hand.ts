// Requests that a port has in hand at the same time. One that has shown no unit yet gives its place to one that comes: of
// these, the network that has the most gives up its oldest. So nobody fills the port with guesses, and however many phones
// come from one address, their requests keep their places.
import type { Socket } from 'node:net';
import { AppError } from '../../core/errors.ts';
import { createPlaces } from '../by-id/places.ts';
import { networkOf } from '../by-id/unit-places.ts';
import { Busy } from './busy.ts';

/** A request in hand. */
interface Held {
  /** Ends the search for its units: its connection has ended, or its place is somebody else's. */
  readonly signal: AbortSignal;
  /** It is one of a unit, and keeps its place until it is answered. @throws the signal's reason */
  keep(): void;
  /** It is answered. */
  leave(): void;
}

/** The requests of a port. */
export interface InHand {
  /**
   * Takes a request in hand.
   * @param address as `plainAddress` writes it
   * @param socket its connection
   * @throws Busy when all are requests of units; AppError request_timeout when its connection has ended
   */
  take(address: string, socket: Socket): Held;
}

/** Begins with none. @param most requests at the same time */
export function createInHand(most: number): InHand {
  const places = createPlaces(most);
  /** The ends of the requests of a connection, which may send several before an answer. */
  const ends = new WeakMap<Socket, Set<() => void>>();

  function endsOf(socket: Socket): Set<() => void> {
    const known = ends.get(socket);
    if (known !== undefined) return known;
    const own = new Set<() => void>();
    ends.set(socket, own);
    socket.once('close', () => {
      for (const end of own) end();
    });
    return own;
  }

  return {
    take: (address, socket) => {
      if (socket.destroyed) throw gone();
      const ended = new AbortController();
      const { signal } = ended;
      const place = places.take(networkOf(address), () => ended.abort(new Busy()));
      if (place === undefined) throw new Busy();
      const own = endsOf(socket);
      const end = (): void => ended.abort(gone());
      own.add(end);
      return {
        signal,
        keep: () => {
          signal.throwIfAborted();
          place.keep();
        },
        leave: () => {
          own.delete(end);
          place.leave();
        },
      };
    },
  };
}

const gone = (): AppError =>
  new AppError('request_timeout', 'The request ended before it was answered.');
