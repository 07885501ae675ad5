// How well a lap fits the path of a pattern: how much of the path the bus drove, and how much it drove elsewhere.
import { f64, i32 } from '@ridewatch/contract/columns';
import type { LapSpan } from './cut.ts';
import type { Match } from './match.ts';
import { coverage, MARGIN_M } from './progress.ts';
import type { RoutePath } from './route-path.ts';
import { firstAtLeast } from './track/ascending.ts';
import { indexAt, type Track } from './track/track.ts';

export interface Fit {
  /** Length of the path, metres. */
  readonly lengthM: number;
  /** Metres of the path that were driven. */
  readonly coveredM: number;
  /** Their share of all metres that belong to the lap or were driven in it; 0 to 1. */
  readonly share: number;
}

/**
 * Measures a lap. What lies beyond the ends of an unfinished lap does not count as missing: nobody knows yet whether the
 * bus will turn before the far terminal.
 */
export function fitOf(track: Track, match: Match, path: RoutePath, span: LapSpan): Fit {
  const { lengthM } = path;
  if (span.round === null) return { lengthM, coveredM: 0, share: 0 };
  const start = span.round * path.lengthM;
  const coveredM = coverage(match, path, span.round).covered * path.lengthM;
  let lowest = start + path.lengthM;
  let highest = start;
  let elsewhereM = 0;
  const first = firstAtLeast(match.point, indexAt(track, span.startMs));
  const last = firstAtLeast(match.point, indexAt(track, span.endMs));
  for (let n = first; n <= Math.min(last, match.point.length - 1); n += 1) {
    const here = f64(match.progress, n);
    if (here >= start - MARGIN_M && here <= start + path.lengthM + MARGIN_M) {
      lowest = Math.min(lowest, here);
      highest = Math.max(highest, here);
    }
    if (n === first) continue;
    const isAlong = !Number.isNaN(here) && !Number.isNaN(f64(match.progress, n - 1));
    if (isAlong && match.jumped[n] === 0) continue;
    const [p, q] = [i32(match.point, n - 1), i32(match.point, n)];
    elsewhereM += Math.hypot(f64(track.x, q) - f64(track.x, p), f64(track.y, q) - f64(track.y, p));
  }
  const from = span.incomplete === 'no_departure' ? Math.max(lowest, start) : start;
  const end = start + path.lengthM;
  const to = span.incomplete === 'no_arrival' ? Math.min(highest, end) : end;
  const wholeM = Math.max(to - from, coveredM) + elsewhereM;
  return { lengthM, coveredM, share: wholeM > 0 ? coveredM / wholeM : 0 };
}
