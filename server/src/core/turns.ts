import { AppError } from './errors.ts';

/** How many may wait for a turn in a process, and the answer to the others. */
export interface TurnLimits {
  /** All who wait. */
  readonly mostWaiting: number;
  /** Those of one user among them. */
  readonly mostOfOne: number;
  /** Sentence of the 503. */
  readonly message: string;
  /** When to ask again, s. */
  readonly retryAfterS: number;
}

/** Lets requests of one kind run one at a time. */
export interface Turns {
  /**
   * Waits for a turn.
   * @param waitMs longest wait
   * @param hasBegun whether the request had a turn before; then it is not refused
   * @returns ends the turn
   * @throws AppError unavailable when too many wait, or the turn comes too late
   */
  take(userId: number, waitMs: number, hasBegun?: boolean): Promise<() => void>;
}

interface Waiting extends PromiseWithResolvers<() => void> {
  readonly timer: NodeJS.Timeout;
}

/** Round-robin over users, so that nobody waits for all requests of another. */
export function createTurns(limits: TurnLimits): Turns {
  const { mostWaiting, mostOfOne, message, retryAfterS } = limits;
  /** The next user is first. Every user in it has a waiting request. */
  const queues = new Map<number, Waiting[]>();
  let isTaken = false;
  const busy = (): AppError => new AppError('unavailable', message, { retryAfterS });

  function begin(userId: number): () => void {
    isTaken = true;
    return () => {
      isTaken = false;
      // A user who had a turn goes last.
      const rest = queues.get(userId);
      if (rest !== undefined && queues.delete(userId)) queues.set(userId, rest);
      for (const [next, [one]] of queues) {
        if (one === undefined) continue;
        leave(next, one);
        one.resolve(begin(next));
        return;
      }
    };
  }

  function leave(userId: number, one: Waiting): void {
    clearTimeout(one.timer);
    const rest = (queues.get(userId) ?? []).filter((other) => other !== one);
    if (rest.length > 0) queues.set(userId, rest);
    else queues.delete(userId);
  }

  return {
    take: async (userId, waitMs, hasBegun = false) => {
      if (!isTaken) return begin(userId);
      const queue = queues.get(userId) ?? [];
      const waiting = [...queues.values()].reduce((sum, { length }) => sum + length, 0);
      if (!hasBegun && (waiting >= mostWaiting || queue.length >= mostOfOne)) throw busy();
      const late = (): void => {
        leave(userId, one);
        one.reject(busy());
      };
      const one = { ...Promise.withResolvers<() => void>(), timer: setTimeout(late, waitMs) };
      queues.set(userId, [...queue, one]);
      return one.promise;
    },
  };
}
