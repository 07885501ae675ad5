// Questions about how far along its path a bus was.

import { f64, i32 } from '@ridewatch/contract/columns';
import type { Match } from './match.ts';
import type { RoutePath } from './route-path.ts';
import { firstAtLeast } from './track/ascending.ts';
import { LINE_M_PER_S, UNSEEN_MS } from './track/stays.ts';
import type { Track } from './track/track.ts';

/** Progress this far before and after a place along the path is surely before and after it, metres. */
export const EDGE_M = 250;

/**
 * The observations between which the bus passed a place of the path, also to and fro: the last one before it came near
 * (-1: none) and the first one surely after it (the number of observations: none). Who drove on, left the route for the
 * depot and came back to the place has passed it only then.
 * @param progress metres counted over all laps
 */
export function windowAround(
  match: Match,
  progress: number,
  edgeM: number,
): { from: number; to: number } {
  const to = firstStaying(match, progress + edgeM);
  const before = Math.min(firstReaching(match, progress - edgeM), to) - 1;
  return { from: match.on[before] ?? -1, to };
}

/** When the bus left a place of the path behind, between the observations beside it; null when it did not. */
export function progressMs(track: Track, match: Match, progress: number): number | null {
  const to = firstReaching(match, progress);
  if (to === match.point.length) return null;
  const b = f64(track.timeMs, i32(match.point, to));
  const here = f64(match.progress, to);
  const from = match.on[to - 1] ?? -1;
  if (from < 0) return here - progress < EDGE_M ? b : null;
  const was = f64(match.progress, from);
  const a = f64(track.timeMs, i32(match.point, from));
  const evenlyMs = a + ((b - a) * (progress - was)) / Math.max(here - was, 1);
  // Unseen for long it stood there for long, and then drove on.
  return b - a < UNSEEN_MS
    ? evenlyMs
    : Math.max(evenlyMs, b - ((here - progress) * 1000) / LINE_M_PER_S);
}

/** Faster than this no bus drives on over a terminal, m/s; with more time than this left for a stand, ms, it is not known
 * when it did. */
const OVER_M_PER_S = 15;
const OVER_MS = 5 * 60_000;

/**
 * Whether the bus was seen to drive on over a place of the path: before it and beyond it without a long silence between.
 * Sampled once a minute, or in a street without reception, a stand leaves no other trace. It may have left the drawn
 * line there, as buses do where they turn.
 */
export function drivesOver(track: Track, match: Match, progress: number): boolean {
  const to = firstReaching(match, progress);
  if (to === match.point.length) return false;
  const from = match.on[to - 1] ?? -1;
  if (from < 0 || f64(match.progress, from) > progress) return false;
  const a = f64(track.timeMs, i32(match.point, from));
  const b = f64(track.timeMs, i32(match.point, to));
  const metres = f64(match.progress, to) - f64(match.progress, from);
  if (match.jumped[to] === 1 && metres * 1000 > OVER_M_PER_S * (b - a)) return false;
  return b - a - (metres * 1000) / LINE_M_PER_S < OVER_MS;
}

/** The first observation at or beyond a place; the number of observations when there is none. */
export function firstReaching(match: Match, progress: number): number {
  return firstAtLeast(match.reached, progress);
}

// The first observation at or beyond a place after which the bus was never before it.
function firstStaying(match: Match, progress: number): number {
  const first = firstReaching(match, progress);
  // Where the track ends off the route nothing is ahead, and the bus did not get there.
  return first === match.reached.length
    ? first
    : Math.max(first, firstAtLeast(match.ahead, progress));
}

/**
 * How much of one round was driven.
 * @returns the share of the path that was driven along, or of its stops that the bus came by where streets are not
 *   known and the line from stop to stop is seldom driven on; whether the far terminal was passed, and whether the bus was
 *   on the path at all
 */
export function coverage(
  match: Match,
  path: RoutePath,
  round: number,
): { covered: number; passedTurn: boolean; any: boolean } {
  const start = round * path.lengthM;
  const end = start + path.lengthM;
  const turn = start + (path.turnAt ?? 0);
  let metres = 0;
  let passedTurn = false;
  let any = false;
  let last = Number.NaN;
  const { from, to } = observationsIn(match, start - EDGE_M, end + EDGE_M);
  for (let n = from; n < to; n += 1) {
    const here = f64(match.progress, n);
    if (!(here >= start - EDGE_M && here <= end + EDGE_M)) continue;
    if (here >= start && here <= end) any = true;
    if (match.jumped[n] === 0 && here > last) {
      metres += Math.max(0, Math.min(here, end) - Math.max(last, start));
      if (last <= turn && here >= turn) passedTurn = true;
    }
    if (Math.abs(here - turn) <= EDGE_M) passedTurn = true;
    last = here;
  }
  const covered = path.straight ? shareOfStops(match, path, start) : metres / path.lengthM;
  return { covered, passedTurn, any };
}

function shareOfStops(match: Match, path: RoutePath, start: number): number {
  const near = path.stops.filter(({ at }) => {
    const { from, to } = observationsIn(match, start + at - EDGE_M, start + at + EDGE_M);
    return match.progress.subarray(from, to).some((here) => Math.abs(here - start - at) <= EDGE_M);
  });
  return near.length / path.stops.length;
}

// The observations, from one to before another, outside which none lies between two places.
function observationsIn(match: Match, fromM: number, toM: number): { from: number; to: number } {
  // A metre more: places are compared by differences elsewhere, which round otherwise.
  return { from: firstAtLeast(match.reached, fromM - 1), to: firstAtLeast(match.ahead, toM + 1) };
}
