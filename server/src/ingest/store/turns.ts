import { AppError } from '../../core/errors.ts';

/** Most waiting batches of one unit in a process; a unit that waits for its answers has none. */
const MOST_WAITING = 8;
/** Longest wait for a turn, ms: a silent database must not hold a unit up for longer. */
const LONGEST_WAIT_MS = 5_000;
const COME_BACK_S = 5;

/**
 * Serializes the calls of each unit. In the database they would wait for the unit's lock, each with a connection that
 * other units need.
 * @param mostWaiting beside the running one
 * @param longestWaitMs for the turn
 * @param calls what they are, for messages
 * @returns runs work in its turn; throws too_many_attempts when too many wait, unavailable when the turn comes too late
 */
export function createTurns(
  mostWaiting = MOST_WAITING,
  longestWaitMs = LONGEST_WAIT_MS,
  calls = 'batches',
): <T>(unitId: number, work: () => Promise<T>) => Promise<T> {
  const queues = new Map<number, { last: Promise<unknown>; count: number }>();
  return async (unitId, work) => {
    const queue = queues.get(unitId) ?? { last: Promise.resolve(), count: 0 };
    if (queue.count > mostWaiting) {
      throw new AppError('too_many_attempts', `This unit sends too many ${calls} at once.`, {
        retryAfterS: 1,
      });
    }
    queues.set(unitId, queue);
    queue.count += 1;
    const arrivedMs = performance.now();
    const result = queue.last.then(() => {
      if (performance.now() - arrivedMs <= longestWaitMs) return work();
      throw new AppError('unavailable', `Earlier ${calls} of this unit are still being stored.`, {
        retryAfterS: COME_BACK_S,
      });
    });
    // A failure is the caller's; the next call runs.
    queue.last = result.catch(() => undefined);
    try {
      return await result;
    } finally {
      queue.count -= 1;
      if (queue.count === 0) queues.delete(unitId);
    }
  };
}
