// The times of a file's pictures, and how they belong to the times of the street.
import type { TimeMap } from '@ridewatch/contract/time-map';
import type { Packets } from './read-video.ts';

/** Closer than this is the same: recorders cut at whole groups of pictures. */
const SAME_MS = 1500;
const SAME_PART = 0.01;
/** Smaller shifts between two files are rounding. */
const SHIFT_MS = 250;
/** A map with more points than this is noise. */
const MOST_POINTS = 200;

/** Whether times run backwards or stand still somewhere, so that no player can follow them. */
export function isDisordered({ ptsMs, dtsMs }: Packets): boolean {
  if (dtsMs.some((ms, index) => index > 0 && ms <= (dtsMs[index - 1] ?? ms))) return true;
  const shown = ptsMs.filter(Number.isFinite).sort((a, b) => a - b);
  return shown.some((ms, index) => index > 0 && ms === shown[index - 1]);
}

/**
 * When each picture comes, ms from the first, in the order of the file. A step back, or one that the file does not say,
 * counts as the usual one; pauses are kept.
 */
export function elapsedOf({ count, dtsMs, usualMs }: Packets): number[] {
  const elapsed = [0];
  for (let index = 1; index < count; index += 1) {
    const step = (dtsMs[index] ?? Number.NaN) - (dtsMs[index - 1] ?? Number.NaN);
    elapsed.push((elapsed[index - 1] ?? 0) + (step > 0 ? step : usualMs));
  }
  return elapsed;
}

/** From the first picture to the end of the last, ms. */
export function durationOf(packets: Packets): number {
  return (elapsedOf(packets).at(-1) ?? 0) + packets.usualMs;
}

/** From the beginning of the file to its first picture, ms: sound may come before it. */
export function leadOf(packets: Packets): number {
  if (isDisordered(packets)) return 0;
  const first = packets.ptsMs.filter(Number.isFinite).reduce((a, b) => Math.min(a, b), Infinity);
  return Number.isFinite(first) ? Math.max(0, first - packets.beginMs) : 0;
}

/**
 * How wall time and media time of a playable file belong together. The times of the sent file are those of the street
 * when they last as long; else the file is spread evenly over the stretch that the unit announced.
 * @param wallMs how long the stretch of street is
 * @returns null when both run alike
 */
export function mapTime(source: Packets, playable: Packets, wallMs: number): TimeMap | null {
  const mediaMs = leadOf(playable) + durationOf(playable);
  const sourceMs = leadOf(source) + durationOf(source);
  const seen = seenOf(source, playable);
  if (isSame(sourceMs, wallMs) && seen.length === playable.count) {
    const points = pointsBetween(seen, timesOf(playable));
    if (points.length === 0) return null;
    if (points.length <= MOST_POINTS) {
      return rounded([[0, 0], ...points, [sourceMs, mediaMs]]);
    }
  }
  if (isSame(mediaMs, wallMs)) return null;
  return rounded([
    [0, 0],
    [wallMs, mediaMs],
  ]);
}

// When each picture comes, ms from the beginning of the file.
function timesOf(packets: Packets): number[] {
  const leadMs = leadOf(packets);
  return elapsedOf(packets).map((ms) => leadMs + ms);
}

// The same without those that are lost on the way to the playable file, as nobody can decode them.
function seenOf(source: Packets, playable: Packets): number[] {
  const isLost = source.count - source.unseen === playable.count;
  return timesOf(source).slice(isLost ? source.unseen : 0);
}

function isSame(ms: number, wallMs: number): boolean {
  return Math.abs(ms - wallMs) <= SAME_MS + wallMs * SAME_PART;
}

// Where the two files part: the last picture before it and the first one after.
function pointsBetween(street: readonly number[], media: readonly number[]): [number, number][] {
  const points: [number, number][] = [];
  let shift = 0;
  for (const [index, ms] of street.entries()) {
    const at = media[index] ?? 0;
    if (Math.abs(ms - at - shift) <= SHIFT_MS) continue;
    shift = ms - at;
    if (index > 0) points.push([street[index - 1] ?? 0, media[index - 1] ?? 0]);
    points.push([ms, at]);
  }
  return points;
}

function rounded(points: readonly (readonly [number, number])[]): TimeMap {
  return points.map(([wall, media]) => ({
    offset_ms: Math.round(wall),
    media_ms: Math.round(media),
  }));
}
