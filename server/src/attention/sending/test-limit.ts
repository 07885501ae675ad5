import { TEST_PAUSE_S } from '@ridewatch/contract/attention';
import { Cache } from '../../core/cache.ts';
import type { Clock } from '../../core/clock.ts';
import { AppError } from '../../core/errors.ts';

/** Most tests that a process sends at once, over all customers. */
const MOST_AT_ONCE = 4;
/** Owners and channels whose last test is remembered. */
const MOST_REMEMBERED = 10_000;

/** Runs the tests of one process. */
export type TestLimit = <T>(key: string, send: () => Promise<T>) => Promise<T>;

/**
 * Limits test messages: of a key, one that ended TEST_PAUSE_S ago or longer; in all, four at once.
 * @returns a function that sends; it throws AppError too_many_attempts
 */
export function createTestLimit(clock: Clock): TestLimit {
  const endedMs = new Cache<string, number>({ most: MOST_REMEMBERED });
  const running = new Set<string>();
  return async (key, send) => {
    const leftMs =
      (endedMs.get(key) ?? Number.NEGATIVE_INFINITY) + TEST_PAUSE_S * 1000 - clock.nowMs();
    if (running.has(key) || leftMs > 0)
      throw tooSoon(running.has(key) ? TEST_PAUSE_S : leftMs / 1000);
    if (running.size >= MOST_AT_ONCE) throw tooSoon(TEST_PAUSE_S);
    running.add(key);
    try {
      return await send();
    } finally {
      running.delete(key);
      endedMs.set(key, clock.nowMs());
    }
  };
}

function tooSoon(retryS: number): AppError {
  const message = `A test was sent less than ${TEST_PAUSE_S} s ago, or too many are being sent. Try again soon.`;
  return new AppError('too_many_attempts', message, { retryAfterS: Math.ceil(retryS) });
}
