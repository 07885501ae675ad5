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
