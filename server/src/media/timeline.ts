// The times of a file's frames, and how they map to wall time.
import type { TimeMap } from '@ridewatch/contract/time-map';
import { beginsAtZero } from './containers.ts';
import type { Packets, VideoFacts } from './video-facts.ts';

/** Differences below this do not count: registrars cut at whole groups of pictures (GOPs). */
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
 * The time of each frame, ms from the first, in the order of the file. A step that is negative or missing counts as the
 * usual one; pauses stay.
 */
export function elapsedOf({
  count,
  dtsMs,
  usualMs,
}: Pick<Packets, 'count' | 'dtsMs' | 'usualMs'>): number[] {
  const elapsed = [0];
  for (let index = 1; index < count; index += 1) {
    const step = (dtsMs[index] ?? Number.NaN) - (dtsMs[index - 1] ?? Number.NaN);
    elapsed.push((elapsed[index - 1] ?? 0) + (step > 0 ? step : usualMs));
  }
  return elapsed;
}

// The time of each frame in the order in which they are shown, ms from the first. Around a pause, decoding times differ
// between two files with the same presentation times.
function shownOf(packets: Packets): number[] {
  const { ptsMs } = packets;
  if (!ptsMs.every(Number.isFinite) || isDisordered(packets)) return elapsedOf(packets);
  const shown = ptsMs.toSorted((a, b) => a - b);
  return shown.map((ms) => ms - (shown[0] ?? 0));
}

/** From the first frame to the end of the last, ms. */
export function durationOf(packets: Packets): number {
  return (elapsedOf(packets).at(-1) ?? 0) + packets.usualMs;
}

/** Presentation time of the first frame, ms; 0 for a file without times. */
export function firstShownMs({ ptsMs }: Packets): number {
  const said = ptsMs.filter(Number.isFinite);
  return said.length === 0 ? 0 : said.reduce((least, ms) => Math.min(least, ms));
}

/**
 * How long after the start of its period a file shows its first frame. The file may begin with audio, with frames whose
 * references were cut off, or late by its own clock; or the period begins with the first frame. The choice that makes
 * file and period equally long is right.
 * @param wallMs length of the fragment's period
 * @returns ms, 0 at least
 */
export function leadOf({ leadMs, container, packets }: VideoFacts, wallMs: number): number {
  const lengthMs = durationOf(packets);
  const missed = (ms: number): number => Math.abs(ms + lengthMs - wallMs);
  const fromZero = beginsAtZero(container) ? firstShownMs(packets) : 0;
  const lead = fromZero > leadMs && missed(fromZero) < missed(leadMs) ? fromZero : leadMs;
  if (isSameLength(lead + lengthMs, wallMs)) return lead;
  return isSameLength(lengthMs, wallMs) || lead >= wallMs ? 0 : lead;
}

/**
 * The map between wall time and media time of a playable file. The source's times are wall time when it lasts as long
 * as the period; else the file is spread evenly over the announced period. Media time is the player's: it begins with
 * the file, not with its first frame.
 * @param wallMs length of the fragment's period
 * @returns null when both are the same
 */
export function mapTime(source: VideoFacts, playable: VideoFacts, wallMs: number): TimeMap | null {
  const startMs = firstShownMs(playable.packets);
  const media = shownOf(playable.packets).map((ms) => startMs + ms);
  const mediaMs = startMs + durationOf(playable.packets);
  const leadMs = leadOf(source, wallMs);
  const streetMs = leadMs + durationOf(source.packets);
  // A last frame that was cut off is missing in the playable file.
  const missing = source.packets.count - playable.packets.count;
  if (isSameLength(streetMs, wallMs) && (missing === 0 || missing === 1)) {
    const [, ...street] = shownOf(source.packets)
      .slice(0, media.length)
      .map((ms) => leadMs + ms);
    // A freeze frame is shown before its time.
    const points = pointsBetween([Math.min(leadMs, startMs), ...street], media);
    if (points.length === 0) return null;
    if (points.length <= MOST_POINTS) {
      return inWholeMs([[0, 0], ...points, [streetMs, mediaMs]]);
    }
  }
  if (isSameLength(mediaMs, wallMs)) return null;
  return inWholeMs([
    [0, 0],
    [wallMs, mediaMs],
  ]);
}

/** Whether a length is that of a period, but for what does not count. */
export function isSameLength(ms: number, wallMs: number): boolean {
  return Math.abs(ms - wallMs) <= SAME_MS + wallMs * SAME_PART;
}

// The frames at which the two files diverge: the last frame before it and the first one after.
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

function inWholeMs(points: readonly (readonly [number, number])[]): TimeMap {
  return points.map(([wall, media]) => ({
    offset_ms: Math.round(wall),
    media_ms: Math.round(media),
  }));
}

/** How much of a fragment's period a truncated video shows, in wall time. */
export interface Truncation {
  readonly shown_ms: number;
  /** Length of the period. */
  readonly of_ms: number;
}

/**
 * Whether a playable file ends before its fragment's period does. The time map of a whole video goes to the end of the
 * period, or there is none because both are equally long.
 * @param wallMs length of the fragment's period
 * @returns null when it shows the whole period
 */
export function truncationOf(
  { durationMs, timeMap }: { readonly durationMs: number; readonly timeMap: TimeMap | null },
  wallMs: number,
): Truncation | null {
  const shownMs = timeMap?.at(-1)?.offset_ms ?? durationMs;
  return shownMs >= wallMs || isSameLength(shownMs, wallMs)
    ? null
    : { shown_ms: shownMs, of_ms: wallMs };
}

/**
 * Whether the frames of a file end before the period, by its own clock. Such a file is truncated, or its clock runs
 * fast.
 */
export function isShort(facts: VideoFacts, wallMs: number): boolean {
  const streetMs = leadOf(facts, wallMs) + durationOf(facts.packets);
  return streetMs < wallMs && !isSameLength(streetMs, wallMs);
}

/** Whether audio, which has a clock of its own, lasts as long as the frames: then the clock of the frames is right. */
export function isTimedBySound({ soundMs, packets }: VideoFacts): boolean {
  return soundMs !== undefined && isSameLength(soundMs, durationOf(packets));
}
