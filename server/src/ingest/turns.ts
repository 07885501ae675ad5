import { AppError } from '../errors.ts';

/** Batches of one unit that wait in a process; a unit that waits for its answers has none. */
const MOST_WAITING = 8;

/**
 * Lets the batches of a unit take turns. In the database they would wait for each other under the unit's lock, each with a
 * connection that the other units then lack.
 * @param mostWaiting beside the one that is being stored
 * @returns runs work when it is the unit's turn; it throws too_many_attempts when too many wait already
 */
export function createTurns(
  mostWaiting = MOST_WAITING,
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
    const result = queue.last.then(work);
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
