import * as z from 'zod/mini';

/**
 * Where wall time and media time of a fragment differ: points that belong together, ascending in both. Between two
 * points both run evenly. A fragment without a map runs alike in both.
 */
export const TimeMap = z.array(
  z.object({
    /** Wall time, from the start of the fragment. */
    offset_ms: z.int(),
    /** In the playable file. */
    media_ms: z.int(),
  }),
);
export type TimeMap = z.infer<typeof TimeMap>;

/**
 * The place in the file at which a moment is seen.
 * @param offsetMs wall time from the start of the fragment
 * @returns ms of media time, not before 0
 */
export function mediaAt(map: TimeMap | null, offsetMs: number): number {
  return Math.max(0, translate(map, offsetMs, 'offset_ms', 'media_ms'));
}

/**
 * The moment that is seen at a place in the file.
 * @param mediaMs media time
 * @returns ms of wall time from the start of the fragment
 */
export function offsetAt(map: TimeMap | null, mediaMs: number): number {
  return translate(map, mediaMs, 'media_ms', 'offset_ms');
}

type Side = keyof TimeMap[number];

function translate(map: TimeMap | null, at: number, from: Side, to: Side): number {
  if (map === null || map.length < 2) return at;
  const after = map.findIndex((point) => point[from] > at);
  // Beyond an end both go on as in the last stretch.
  const last = after < 0 ? map.length - 1 : Math.max(after, 1);
  const [a, b] = [map[last - 1], map[last]];
  if (a === undefined || b === undefined) return at;
  const length = b[from] - a[from];
  if (length === 0) return b[to];
  return a[to] + ((at - a[from]) * (b[to] - a[to])) / length;
}
