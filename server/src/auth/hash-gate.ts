// Password hashes are computed one after the other: each takes a core for tens of milliseconds and 19 MiB, and many at
// once would leave nothing to the rest of the server. A request takes a place in the queue before it asks the database,
// so that a refused one costs nothing. It waits for its turn only for the hash, so that a silent database delays each
// request only by its own query.
import { availableParallelism } from 'node:os';
import { AppError } from '../core/errors.ts';

/** Concurrent hashes of a process: never all cores, nor more than half of the four threads that also read files. */
const AT_ONCE = Math.max(1, Math.min(2, Math.floor(availableParallelism() / 2)));
/** Guesses in the queue wait at most 3 s, at 50 ms a hash. */
const MOST_WAITING = 60;
/** Fewer than a role's connections: requests of one address also wait for each other in the database. */
const MOST_OF_ADDRESS = 8;
/** Longest wait of a hash for its turn, ms; then the answer is 503. */
const LONGEST_WAIT_MS = 5000;
/** Retry-After when the queue is full, s. */
const RETRY_S = 2;

/** Computes a hash in its turn. @throws AppError unavailable when the turn comes too late; then nothing is computed */
export type InTurn = <T>(makeHash: () => Promise<T>) => Promise<T>;

export interface HashGateSizes {
  /** Hashes at once. */
  readonly atOnce?: number;
  /** Most places in the queue besides. */
  readonly mostWaiting?: number;
  /** Most places of one address. */
  readonly mostOfAddress?: number;
  /** Longest wait for a turn. */
  readonly longestWaitMs?: number;
}

export interface HashGate {
  /**
   * Takes a place until the work is over.
   * @param address of the client
   * @throws AppError unavailable when all places are taken, or too many by the address
   */
  enter<T>(address: string, work: (inTurn: InTurn) => Promise<T>): Promise<T>;
}

/** Creates the gate of one process. @param nowMs any monotonic clock */
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
    // A finished hash passes its turn on, so that nobody jumps the queue.
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
  return new AppError('unavailable', 'Too many sign-ins are running. Try again soon.', {
    retryAfterS: RETRY_S,
  });
}
