import * as z from 'zod/mini';

/**
 * Pairs of wall time and media time of a fragment where they differ, ascending in both; between two pairs both are
 * linear. Without a map both are the same.
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
 * The media time of a moment.
 * @param offsetMs wall time from the start of the fragment
 * @returns ms of media time, 0 at least
 */
export function mediaAt(map: TimeMap | null, offsetMs: number): number {
  return Math.max(0, translate(map, offsetMs, 'offset_ms', 'media_ms'));
}

/**
 * The wall time of a place in the file.
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
  // Beyond an end, both continue as in the last interval.
  const last = after < 0 ? map.length - 1 : Math.max(after, 1);
  const [a, b] = [map[last - 1], map[last]];
  if (a === undefined || b === undefined) return at;
  const length = b[from] - a[from];
  if (length === 0) return b[to];
  return a[to] + ((at - a[from]) * (b[to] - a[to])) / length;
}
