import { AppError } from '../../core/errors.ts';

/** Batches of one unit that wait in a process; a unit that waits for its answers has none. */
const MOST_WAITING = 8;
/** Whoever has not had its turn after this is told to come back, ms: a silent database must not hold it up for longer. */
const LONGEST_WAIT_MS = 5_000;
const COME_BACK_S = 5;

/**
 * Lets the batches of a unit take turns. In the database they would wait for each other under the unit's lock, each with a
 * connection that the other units then lack.
 * @param mostWaiting beside the one that is being stored
 * @param longestWaitMs until the turn comes
 * @returns runs work when it is the unit's turn; it throws too_many_attempts when too many wait already, unavailable when
 *   the turn comes too late
 */
export function createTurns(
  mostWaiting = MOST_WAITING,
  longestWaitMs = LONGEST_WAIT_MS,
): <T>(unitId: number, work: () => Promise<T>) => Promise<T> {
  const queues = new Map<number, { last: Promise<unknown>; count: number }>();
  return async (unitId, work) => {
    const queue = queues.get(unitId) ?? { last: Promise.resolve(), count: 0 };
    if (queue.count > mostWaiting) {
      throw new AppError('too_many_attempts', 'This unit sends too many batches at once.', {
        retryAfterS: 1,
      });
    }
    queues.set(unitId, queue);
    queue.count += 1;
    const arrivedMs = performance.now();
    const result = queue.last.then(() => {
      if (performance.now() - arrivedMs <= longestWaitMs) return work();
      throw new AppError('unavailable', 'Earlier batches of this unit are still being stored.', {
        retryAfterS: COME_BACK_S,
      });
    });
    // What fails is the caller's; the next one goes on.
    queue.last = result.catch(() => undefined);
    try {
      return await result;
    } finally {
      queue.count -= 1;
      if (queue.count === 0) queues.delete(unitId);
    }
  };
}
