import { Cache } from './cache.ts';
import { AppError } from './errors.ts';

/** How many may wait for a turn in a process, and the answer to the others. */
export interface TurnLimits {
  /** All who wait. */
  readonly mostWaiting: number;
  /** Requests of one user among them. */
  readonly mostOfOne: number;
  /** How many have a turn at the same time, of different users; one when not given. */
  readonly atOnce?: number;
  /** Sentence of the 503. */
  readonly message: string;
  /** When to ask again, s. */
  readonly retryAfterS: number;
}

/** Lets requests of one kind run one at a time, or a few of different users. */
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
  readonly userId: number;
  readonly timer: NodeJS.Timeout;
}

/** Users whose last turn is remembered; a forgotten one comes first. */
const MOST_USERS = 5000;

/**
 * Gives the turn to the user who had the last one longest ago, so that nobody waits for all requests of another, nor
 * finds, when told to come back, only users who had turns meanwhile.
 */
export function createTurns(limits: TurnLimits): Turns {
  const { mostWaiting, mostOfOne, atOnce = 1, message, retryAfterS } = limits;
  const lastTurns = new Cache<number, number>({ most: MOST_USERS });
  /** In the order of arrival. */
  let waiting: readonly Waiting[] = [];
  const running = new Set<number>();
  let turns = 0;
  const busy = (): AppError => new AppError('unavailable', message, { retryAfterS });

  function begin(userId: number): () => void {
    running.add(userId);
    return () => {
      running.delete(userId);
      turns += 1;
      lastTurns.set(userId, turns);
      const turnOf = (one: Waiting): number => lastTurns.get(one.userId) ?? 0;
      const next = waiting
        .filter((one) => !running.has(one.userId))
        .sort((a, b) => turnOf(a) - turnOf(b))[0];
      if (next === undefined) return;
      leave(next);
      next.resolve(begin(next.userId));
    };
  }

  function leave(one: Waiting): void {
    clearTimeout(one.timer);
    waiting = waiting.filter((other) => other !== one);
  }

  return {
    take: async (userId, waitMs, hasBegun = false) => {
      if (running.size < atOnce && !running.has(userId)) return begin(userId);
      const own = waiting.filter((one) => one.userId === userId);
      if (!hasBegun && (waiting.length >= mostWaiting || own.length >= mostOfOne)) throw busy();
      const late = (): void => {
        leave(one);
        one.reject(busy());
      };
      const timer = setTimeout(late, waitMs);
      const one = { ...Promise.withResolvers<() => void>(), userId, timer };
      waiting = [...waiting, one];
      return one.promise;
    },
  };
}
