import { AppError } from './errors.ts';

/** Previews that wait in a process, and those of one user among them. */
const MOST_WAITING = 16;
const MOST_OF_ONE = 4;
const COME_BACK_S = 10;

/** Lets previews of recalculations reckon one at a time. */
export interface PreviewTurns {
  /**
   * Waits for a turn.
   * @param waitMs how long at most
   * @param hasBegun of a preview that had a turn before: it is not refused for the others who wait
   * @returns ends the turn
   * @throws AppError unavailable when too many wait already, or the turn comes too late
   */
  take(userId: number, waitMs: number, hasBegun: boolean): Promise<() => void>;
}

interface Waiting extends PromiseWithResolvers<() => void> {
  readonly timer: NodeJS.Timeout;
}

/** Turns that go round the users who ask, so that nobody waits for all the previews of another one. */
export function createPreviewTurns(): PreviewTurns {
  /** Whoever comes next stands first. Nobody is in it without a preview that waits. */
  const queues = new Map<number, Waiting[]>();
  let isTaken = false;

  function begin(userId: number): () => void {
    isTaken = true;
    return () => {
      isTaken = false;
      // Whoever had a turn is last, whatever else of theirs waits.
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
    take: async (userId, waitMs, hasBegun) => {
      if (!isTaken) return begin(userId);
      const queue = queues.get(userId) ?? [];
      const waiting = [...queues.values()].reduce((sum, { length }) => sum + length, 0);
      if (!hasBegun && (waiting >= MOST_WAITING || queue.length >= MOST_OF_ONE)) throw busy();
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

function busy(): AppError {
  return new AppError('unavailable', 'Other days are being worked out; try again soon.', {
    retryAfterS: COME_BACK_S,
  });
}
