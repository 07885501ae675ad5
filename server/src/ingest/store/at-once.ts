import { AppError } from '../../core/errors.ts';

/** Long transactions of a process at the same time: four of the role's ten connections are left for short statements. */
const LONG_WAYS = 6;
/** Longest wait for one, ms; later a sender has sent again. */
const LONG_WAY_WAIT_MS = 5000;

/** Runs work, or throws when its turn came too late. */
export type AtOnce = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * Lets some of much work run at the same time, in the order of arrival. Those who wait hold nothing that others need.
 * @param most at the same time
 * @param waitMs longest wait
 * @param late the error of a turn that came too late
 */
export function createAtOnce(most: number, waitMs: number, late: () => Error): AtOnce {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    const arrivedMs = performance.now();
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      if (performance.now() - arrivedMs > waitMs) throw late();
      return await work();
    } finally {
      // The place goes to the next one.
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}

/** Lets some batches of a process take the long way at the same time. Later ones throw AppError unavailable. */
export function createLongWays(): AtOnce {
  return createAtOnce(LONG_WAYS, LONG_WAY_WAIT_MS, lateError);
}

/** The error of a turn that came too late. */
export const lateError = (): AppError => new AppError('unavailable', 'Storing takes too long.');
