// Finds the stays of a bus at a place. A stay begins within 100 m and ends when the bus is farther than 300 m away.
import { f64 } from '@ridewatch/contract/columns';
import type { Halt } from '../halts.ts';
import type { Track } from './track.ts';

/** A bus within this distance is at the place, metres. */
const AT_TERMINAL_M = 100;
/** A bus within this distance has not left the place, metres. */
const NEAR_TERMINAL_M = 300;

/** After a gap this long, ms, arrival and departure are computed from the usual speed of a line, m/s. */
export const UNSEEN_MS = 90_000;
export const LINE_M_PER_S = 6;

interface Spot {
  /** Metres on the track's plane. */
  readonly x: number;
  readonly y: number;
}

/** One stay at a place. */
export interface Stay {
  /** The first fix at the place; later records never change it. */
  readonly firstMs: number;
  readonly arrivalMs: number;
  readonly departureMs: number;
  /** Index of its last point in the track. */
  readonly last: number;
}

/**
 * Finds the stays at any of some places within a part of the track, in order of time.
 * @param from index of the part's first point in the track
 * @param to index of its last one
 */
export function staysIn(
  track: Track,
  halts: readonly Halt[],
  places: readonly Spot[],
  from: number,
  to: number,
): Stay[] {
  const stays: { first: number; last: number }[] = [];
  let hasLeft = true;
  for (let p = from; p <= to; p += 1) {
    const metres = distanceTo(places, f64(track.x, p), f64(track.y, p));
    if (metres > NEAR_TERMINAL_M) hasLeft = true;
    if (metres > AT_TERMINAL_M) continue;
    const stay = stays.at(-1);
    if (hasLeft || stay === undefined) stays.push({ first: p, last: p });
    else stay.last = p;
    hasLeft = false;
  }
  return stays.map(({ first, last }) => {
    const standing = halts.filter(
      (halt) =>
        halt.last >= first &&
        halt.first <= last &&
        distanceTo(places, halt.x, halt.y) <= AT_TERMINAL_M,
    );
    const nearest = nearestPoint(track, places, first, last);
    // A traffic light a little farther away is not the terminal.
    const close = standing.filter(
      (halt) => distanceTo(places, halt.x, halt.y) <= AT_TERMINAL_M / 2,
    );
    const arrivalMs = standing[0]?.startMs ?? f64(track.timeMs, nearest);
    const departureMs = (close.at(-1) ?? standing.at(-1))?.endMs ?? f64(track.timeMs, nearest);
    return {
      firstMs: f64(track.timeMs, first),
      arrivalMs: Math.min(arrivalMs, unseen(first - 1, first, 1) ?? arrivalMs),
      departureMs: Math.max(departureMs, unseen(last + 1, last, -1) ?? departureMs),
      last: isAtEnd(last) ? track.length - 1 : last,
    };
  });

  // When the bus arrived from a fix outside, or left for it, if there is a gap in between; else null.
  function unseen(outside: number, inside: number, sign: 1 | -1): number | null {
    const outsideMs = track.timeMs[outside];
    if (outsideMs === undefined || outside < from || outside > to) return null;
    if (Math.abs(f64(track.timeMs, inside) - outsideMs) < UNSEEN_MS) return null;
    const metres = distanceTo(places, f64(track.x, outside), f64(track.y, outside));
    const atMs = outsideMs + (sign * metres * 1000) / LINE_M_PER_S;
    const insideMs = f64(track.timeMs, inside);
    return sign > 0 ? Math.min(atMs, insideMs) : Math.max(atMs, insideMs);
  }

  function isAtEnd(last: number): boolean {
    for (let p = last; p < track.length; p += 1) {
      if (distanceTo(places, f64(track.x, p), f64(track.y, p)) > NEAR_TERMINAL_M) return false;
    }
    return true;
  }
}

function nearestPoint(track: Track, places: readonly Spot[], first: number, last: number): number {
  let best = first;
  let bestM = Number.POSITIVE_INFINITY;
  for (let p = first; p <= last; p += 1) {
    const metres = distanceTo(places, f64(track.x, p), f64(track.y, p));
    if (metres <= bestM) {
      bestM = metres;
      best = p;
    }
  }
  return best;
}

function distanceTo(places: readonly Spot[], x: number, y: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (const place of places) least = Math.min(least, Math.hypot(place.x - x, place.y - y));
  return least;
}
