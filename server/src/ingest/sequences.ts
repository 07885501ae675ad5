/** Ranges of sequence numbers, both ends included, ascending and apart from each other. */
export type SequenceRanges = readonly (readonly [number, number])[];

/** Joins numbers, in any order and repeated or not, into ranges. */
export function rangesOf(sequences: Iterable<number>): [number, number][] {
  const ordered = Float64Array.from(sequences).sort();
  const ranges: [number, number][] = [];
  let last: [number, number] | undefined;
  for (const seq of ordered) {
    if (last !== undefined && seq <= last[1] + 1) {
      last[1] = seq;
    } else {
      last = [seq, seq];
      ranges.push(last);
    }
  }
  return ranges;
}

/** PostgreSQL's int8multirange, for instance `{[1,999),[1000,1001)}`. */
export function toMultirange(ranges: SequenceRanges): string {
  return `{${ranges.map(([first, last]) => `[${first},${last + 1})`).join(',')}}`;
}

/** Reads what PostgreSQL answers for an int8multirange. */
export function fromMultirange(text: string): [number, number][] {
  return [...text.matchAll(/\[(\d+),(\d+)\)/g)].map(([, first, end]) => [
    Number(first),
    Number(end) - 1,
  ]);
}

/** Whether a number lies in one of the ranges; binary search. */
export function includesSequence(ranges: SequenceRanges, seq: number): boolean {
  let low = 0;
  let high = ranges.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const range = ranges[middle];
    if (range === undefined) return false;
    if (seq < range[0]) high = middle - 1;
    else if (seq > range[1]) low = middle + 1;
    else return true;
  }
  return false;
}
