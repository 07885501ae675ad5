// Hashes of passwords are made one behind the other: each takes a core for tens of milliseconds and 19 MiB, and many at
// once would leave nothing to the rest of the server. A place in the queue is taken before the database is asked, so that
// whoever is turned away cost nothing; the turn is taken for the hash alone, so that a database that says nothing holds up
// each for as long as its own question.
import { availableParallelism } from 'node:os';
import { AppError } from '../core/errors.ts';

/** Hashes at once in a process: never all cores, nor more than half of the four threads that also read files. */
const AT_ONCE = Math.max(1, Math.min(2, Math.floor(availableParallelism() / 2)));
/** Who waits behind them waits 3 s at most, at 50 ms a hash. */
const MOST_WAITING = 60;
/** Fewer than a role has connections: those of one address wait for each other in the database too. */
const MOST_OF_ADDRESS = 8;
/** A hash waits at most this long for its turn, ms; then the request is answered with 503. */
const LONGEST_WAIT_MS = 5000;
/** When a queue of hashes that is full has become shorter, s. */
const RETRY_S = 2;

/**
 * Makes a hash when its turn comes.
 * @throws AppError unavailable when the turn comes too late; the hash is not made then
 */
export type InTurn = <T>(makeHash: () => Promise<T>) => Promise<T>;

export interface HashGateSizes {
  /** Hashes at once. */
  readonly atOnce?: number;
  /** Who may be inside beside those. */
  readonly mostWaiting?: number;
  /** Who may be inside from one address. */
  readonly mostOfAddress?: number;
  /** From asking for a turn to having it. */
  readonly longestWaitMs?: number;
}

export interface HashGate {
  /**
   * Lets somebody in, until their work is over.
   * @param address from which they come
   * @throws AppError unavailable when too many are inside, or too many of the address
   */
  enter<T>(address: string, work: (inTurn: InTurn) => Promise<T>): Promise<T>;
}

/**
 * Makes the gate of one process.
 * @param nowMs any clock that only goes forward
 */
export function createHashGate(
  {
    atOnce = AT_ONCE,
    mostWaiting = MOST_WAITING,
    mostOfAddress = MOST_OF_ADDRESS,
    longestWaitMs = LONGEST_WAIT_MS,
  }: HashGateSizes = {},
  nowMs: () => number = () => performance.now(),
): HashGate {
  const inTurn = createTurns(atOnce, longestWaitMs, nowMs);
  const inside = new Map<string, number>();
  let count = 0;
  const add = (address: string, more: 1 | -1): void => {
    count += more;
    const ofAddress = (inside.get(address) ?? 0) + more;
    if (ofAddress === 0) inside.delete(address);
    else inside.set(address, ofAddress);
  };
  return {
    enter: async (address, work) => {
      if (count >= atOnce + mostWaiting || (inside.get(address) ?? 0) >= mostOfAddress) {
        throw tooMany();
      }
      add(address, 1);
      try {
        return await work(inTurn);
      } finally {
        add(address, -1);
      }
    },
  };
}

function createTurns(atOnce: number, longestWaitMs: number, nowMs: () => number): InTurn {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (makeHash) => {
    const sinceMs = nowMs();
    // Whoever leaves hands the place on, so nobody steps in between.
    if (running >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      if (nowMs() - sinceMs > longestWaitMs) throw tooMany();
      return await makeHash();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}

function tooMany(): AppError {
  return new AppError('unavailable', 'Too many sign in at this moment.', { retryAfterS: RETRY_S });
}
