// Queries on the progress of a bus along its path.

import { f64, i32 } from '@ridewatch/contract/columns';
import type { Match } from './match.ts';
import type { RoutePath } from './route-path.ts';
import { firstAtLeast } from './track/ascending.ts';
import { LINE_M_PER_S, UNSEEN_MS } from './track/stays.ts';
import type { Track } from './track/track.ts';

/** Progress this far before or after a place is certainly before or after it, metres. */
export const MARGIN_M = 250;

/**
 * Finds the observations between which the bus passed a place of the path, also to and fro: the last one before it came
 * near (-1 for none) and the first one certainly after it (the number of observations for none). A bus that drove on,
 * left the route for the depot and returned to the place has passed it only after the return.
 * @param progress metres summed over all laps
 * @param marginM distance from the place that is near it, metres
 */
export function windowAround(
  match: Match,
  progress: number,
  marginM: number,
): { from: number; to: number } {
  const to = firstStaying(match, progress + marginM);
  const before = Math.min(firstReaching(match, progress - marginM), to) - 1;
  return { from: match.on[before] ?? -1, to };
}

/** When the bus passed a place of the path, interpolated, ms since 1970 UTC; null if it did not. */
export function progressMs(track: Track, match: Match, progress: number): number | null {
  const to = firstReaching(match, progress);
  if (to === match.point.length) return null;
  const b = f64(track.timeMs, i32(match.point, to));
  const here = f64(match.progress, to);
  const from = match.on[to - 1] ?? -1;
  if (from < 0) return here - progress < MARGIN_M ? b : null;
  const was = f64(match.progress, from);
  const a = f64(track.timeMs, i32(match.point, from));
  const evenlyMs = a + ((b - a) * (progress - was)) / Math.max(here - was, 1);
  // In a long gap the bus is assumed to have stood at the place and then driven on.
  return b - a < UNSEEN_MS
    ? evenlyMs
    : Math.max(evenlyMs, b - ((here - progress) * 1000) / LINE_M_PER_S);
}

/** Most speed of a bus that drives over a terminal, m/s; and least unexplained time that may be a stay there, ms. */
const OVER_M_PER_S = 15;
const OVER_MS = 5 * 60_000;

/**
 * Whether the bus drove over a place of the path: observed before and beyond it without a long gap. At one sample a
 * minute, or without reception, a stay leaves no other trace. The bus may have left the line there, as buses do where
 * they turn.
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

/** Index of the first observation at or beyond a place; the number of observations if there is none. */
export function firstReaching(match: Match, progress: number): number {
  return firstAtLeast(match.reached, progress);
}

// Index of the first observation at or beyond a place after which the bus was never before it.
function firstStaying(match: Match, progress: number): number {
  const first = firstReaching(match, progress);
  // If the track ends off the route, nothing is ahead, and the bus did not reach the place.
  return first === match.reached.length
    ? first
    : Math.max(first, firstAtLeast(match.ahead, progress));
}

/**
 * Computes how much of a lap was driven.
 * @param round number of the lap along the path
 * @returns the share of the path that was driven, or the share of its stops that were passed if the path goes straight
 *   from stop to stop; whether the far terminal was passed; and whether the bus was on the path at all
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
  const { from, to } = observationsIn(match, start - MARGIN_M, end + MARGIN_M);
  for (let n = from; n < to; n += 1) {
    const here = f64(match.progress, n);
    if (!(here >= start - MARGIN_M && here <= end + MARGIN_M)) continue;
    if (here >= start && here <= end) any = true;
    if (match.jumped[n] === 0 && here > last) {
      metres += Math.max(0, Math.min(here, end) - Math.max(last, start));
      if (last <= turn && here >= turn) passedTurn = true;
    }
    if (Math.abs(here - turn) <= MARGIN_M) passedTurn = true;
    last = here;
  }
  const covered = path.straight ? shareOfStops(match, path, start) : metres / path.lengthM;
  return { covered, passedTurn, any };
}

function shareOfStops(match: Match, path: RoutePath, start: number): number {
  const near = path.stops.filter(({ at }) => {
    const { from, to } = observationsIn(match, start + at - MARGIN_M, start + at + MARGIN_M);
    return match.progress
      .subarray(from, to)
      .some((here) => Math.abs(here - start - at) <= MARGIN_M);
  });
  return near.length / path.stops.length;
}

// The range of observations, `to` excluded, that holds all between two places.
function observationsIn(match: Match, fromM: number, toM: number): { from: number; to: number } {
  // One metre of tolerance: other code compares places by differences, which round differently.
  return { from: firstAtLeast(match.reached, fromM - 1), to: firstAtLeast(match.ahead, toM + 1) };
}
