/**
 * Finds the index of the first number that is at least `value`; the length if there is none.
 * @param ascending numbers in ascending order; equal ones are allowed
 */
export function firstAtLeast(ascending: ArrayLike<number>, value: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ascending[middle] ?? Number.NaN) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
