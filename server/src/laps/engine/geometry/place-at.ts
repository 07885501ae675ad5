import { f64 } from '@ridewatch/contract/columns';
import { firstAtLeast } from '../track/ascending.ts';
import type { Positions } from '../track/track.ts';
import { degreesEast, eastOf, type Place } from './plane.ts';

/** In a longer gap between two fixes the bus may have been anywhere, ms. */
const KNOWN_MS = 120_000;

/**
 * Interpolates the place of a bus at a moment.
 * @param track in order of time
 * @returns null if the track has no fix near that moment
 */
export function placeAt(track: Positions, timeMs: number): Place | null {
  const low = firstAtLeast(track.timeMs, timeMs);
  const after = placeOf(track, low);
  const before = placeOf(track, low - 1);
  if (before === null || after === null) {
    const only = before ?? after;
    return only !== null && Math.abs(only.timeMs - timeMs) <= KNOWN_MS / 2 ? only : null;
  }
  const betweenMs = after.timeMs - before.timeMs;
  if (betweenMs > KNOWN_MS) {
    const nearer = after.timeMs - timeMs < timeMs - before.timeMs ? after : before;
    return Math.abs(nearer.timeMs - timeMs) <= KNOWN_MS / 2 ? nearer : null;
  }
  const share = betweenMs === 0 ? 0 : (timeMs - before.timeMs) / betweenMs;
  return {
    latitude: before.latitude + share * (after.latitude - before.latitude),
    longitude: eastOf(before.longitude, share * degreesEast(before.longitude, after.longitude)),
  };
}

/** A place at a moment, ms since 1970 UTC. */
export type Fix = Place & { readonly timeMs: number };

/**
 * Finds the fix where a track begins after a moment, or where it ends before it.
 * @param track in order of time
 * @param splitMs a longer gap between two fixes ends one track and begins another
 * @param mostMs longest time between the moment and the fix
 * @returns the nearer one; null if the moment lies within a track, or far from any
 */
export function edgeFix(
  track: Positions,
  timeMs: number,
  splitMs: number,
  mostMs: number,
): Fix | null {
  const low = firstAtLeast(track.timeMs, timeMs);
  const [before, after] = [placeOf(track, low - 1), placeOf(track, low)];
  if (before !== null && after !== null && after.timeMs - before.timeMs <= splitMs) return null;
  const awayMs = (fix: Fix | null): number =>
    fix === null ? Number.POSITIVE_INFINITY : Math.abs(fix.timeMs - timeMs);
  const nearer = awayMs(after) < awayMs(before) ? after : before;
  return awayMs(nearer) <= mostMs ? nearer : null;
}

function placeOf(track: Positions, index: number): Fix | null {
  const timeMs = track.timeMs[index];
  if (timeMs === undefined) return null;
  return {
    timeMs,
    latitude: f64(track.latitude, index),
    longitude: f64(track.longitude, index),
  };
}
