// The track for screens: cleaned as for laps, and without points that straight driving at constant speed between their
// neighbours explains (Meratnia & de By 2004, 'Spatiotemporal compression techniques for moving point objects':
// Douglas–Peucker with the distance to the expected place at that moment).
import { f64 } from '@ridewatch/contract/columns';
import type { TrackPoint } from '@ridewatch/contract/laps';
import { type Place, planeAt } from '../geometry/plane.ts';
import { MOST_DEPTH } from '../geometry/simplify.ts';
import { cleanTrack, type Positions, type Track } from './track.ts';

/** A point nearer than this to its expected place is left out, metres; below the noise of a good fix. */
const TOLERANCE_M = 3;
/** Longest time between two points, ms: screens show a longer one as a gap. */
const MOST_MS = 60_000;

/** Returns the points of a track for screens. */
export function trackPoints(positions: Positions): TrackPoint[] {
  if (positions.timeMs.length === 0) return [];
  const plane = planeAt(firstPlace(positions));
  const track = cleanTrack(positions, plane);
  return keptPoints(track).map((n) => ({
    latitude: round(plane.latitudeOf(f64(track.y, n)), 1e6),
    longitude: round(plane.longitudeOf(f64(track.x, n)), 1e6),
    time: new Date(f64(track.timeMs, n)).toISOString(),
    speed_kmh: Number.isNaN(track.speedKmh[n]) ? null : round(f64(track.speedKmh, n), 10),
  }));
}

/** Indexes of the points to keep, ascending. */
function keptPoints(track: Track): number[] {
  if (track.length === 0) return [];
  const kept = new Uint8Array(track.length);
  kept[0] = 1;
  kept[track.length - 1] = 1;
  const open: (readonly [number, number, number])[] = [[0, track.length - 1, 0]];
  for (let span = open.pop(); span !== undefined; span = open.pop()) {
    const [first, last, depth] = span;
    if (last - first < 2) continue;
    const { at, metres } = farthest(track, first, last);
    const longMs = f64(track.timeMs, last) - f64(track.timeMs, first);
    if (metres <= TOLERANCE_M && longMs <= MOST_MS) continue;
    const isDeep = depth >= MOST_DEPTH;
    const middle = metres > TOLERANCE_M && !isDeep ? at : (first + last) >>> 1;
    kept[middle] = 1;
    open.push([first, middle, depth + 1], [middle, last, depth + 1]);
  }
  return [...kept.keys()].filter((n) => kept[n] === 1);
}

function farthest(track: Track, first: number, last: number): { at: number; metres: number } {
  const { timeMs, x, y } = track;
  const ax = f64(x, first);
  const ay = f64(y, first);
  const startMs = f64(timeMs, first);
  const perMsX = (f64(x, last) - ax) / (f64(timeMs, last) - startMs);
  const perMsY = (f64(y, last) - ay) / (f64(timeMs, last) - startMs);
  let at = first;
  let most = 0;
  for (let n = first + 1; n < last; n += 1) {
    const ms = f64(timeMs, n) - startMs;
    const dx = f64(x, n) - ax - perMsX * ms;
    const dy = f64(y, n) - ay - perMsY * ms;
    const square = dx * dx + dy * dy;
    if (square > most) {
      most = square;
      at = n;
    }
  }
  return { at, metres: Math.sqrt(most) };
}

function firstPlace({ latitude, longitude }: Positions): Place {
  return { latitude: f64(latitude, 0), longitude: f64(longitude, 0) };
}

const round = (value: number, per: number): number => Math.round(value * per) / per;
