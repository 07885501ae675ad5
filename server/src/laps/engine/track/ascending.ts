/**
 * The index of the first of ascending numbers that is a value or more; their count when there is none.
 * @param ascending equal ones may follow each other
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
