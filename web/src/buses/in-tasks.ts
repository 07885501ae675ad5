/** Buses that are worked on in one task; a key press waits for no more than these. */
const AT_ONCE = 500;

/**
 * Works on many buses in small tasks.
 * @param done called after the last one
 * @returns a function that stops it
 */
export function inTasks<T>(
  buses: readonly T[],
  work: (some: readonly T[]) => void,
  done: () => void,
): () => void {
  let next = 0;
  const step = (): void => {
    work(buses.slice(next, next + AT_ONCE));
    next += AT_ONCE;
    if (next < buses.length) timer = setTimeout(step);
    else done();
  };
  let timer = setTimeout(step);
  return () => clearTimeout(timer);
}
