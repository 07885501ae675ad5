// For long lists: Math.min(...list) puts each item on the stack, which holds about 120,000.

/** The least value of items; infinity for none. */
export function leastOf<T>(items: Iterable<T>, of: (item: T) => number): number {
  let least = Number.POSITIVE_INFINITY;
  for (const item of items) least = Math.min(least, of(item));
  return least;
}

/** The greatest value of items; minus infinity for none. */
export function mostOf<T>(items: Iterable<T>, of: (item: T) => number): number {
  let most = Number.NEGATIVE_INFINITY;
  for (const item of items) most = Math.max(most, of(item));
  return most;
}
