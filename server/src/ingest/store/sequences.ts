/** Ranges of sequence numbers, both ends included, ascending and disjoint. */
export type SequenceRanges = readonly (readonly [number, number])[];

/** Merges numbers, in any order and with duplicates, into ranges. */
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

/** Parses PostgreSQL's int8multirange. @param most ranges to read: those with the largest numbers */
export function fromMultirange(text: string, most: number): [number, number][] {
  let from = text.length;
  for (let count = 0; count < most && from > 0; count += 1) {
    from = text.lastIndexOf('[', from - 1);
  }
  const highest = text.slice(Math.max(from, 0));
  return [...highest.matchAll(/\[(\d+),(\d+)\)/g)].map(([, first, end]) => [
    Number(first),
    Number(end) - 1,
  ]);
}

/** Closes the gaps with the smallest numbers until there are at most so many ranges. */
export function closeLowestGaps(ranges: SequenceRanges, most: number): SequenceRanges {
  const [lowest] = ranges;
  const [first, ...others] = ranges.slice(-most);
  return lowest === undefined || first === undefined ? [] : [[lowest[0], first[1]], ...others];
}

/** The union of two sets of ranges. */
export function joinRanges(some: SequenceRanges, others: SequenceRanges): [number, number][] {
  const joined: [number, number][] = [];
  for (const [first, last] of [...some, ...others].sort((a, b) => a[0] - b[0])) {
    const before = joined.at(-1);
    if (before === undefined || first > before[1] + 1) joined.push([first, last]);
    else before[1] = Math.max(before[1], last);
  }
  return joined;
}

/** Known without reading the ranges: an upper bound of their number, and their largest number, -Infinity of none. */
export interface RangeEstimate {
  readonly most: number;
  readonly last: number;
}

/** The same for ranges that were read. */
export function estimateOf(ranges: SequenceRanges): RangeEstimate {
  return { most: ranges.length, last: ranges.at(-1)?.[1] ?? Number.NEGATIVE_INFINITY };
}

/** The same after adding disjoint ranges. */
export function estimateWith(known: RangeEstimate, added: SequenceRanges): RangeEstimate {
  // A unit that counts by one extends its last range.
  const goesOn = added.some(([first]) => first === known.last + 1);
  return {
    most: known.most + added.length - (goesOn ? 1 : 0),
    last: Math.max(known.last, estimateOf(added).last),
  };
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
