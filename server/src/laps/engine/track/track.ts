// Makes the track from positions. The result does not depend on the order of arrival: points are ordered by time, then
// by place.
import { f64, i32 } from '@ridewatch/contract/columns';
import type { Plane } from '../geometry/plane.ts';
import { firstAtLeast } from './ascending.ts';

/** Positions as columns, all of one length, in any order. */
export interface Positions {
  /** ms since 1970 UTC. */
  readonly timeMs: Float64Array;
  readonly latitude: Float64Array;
  readonly longitude: Float64Array;
  /** km/h; NaN where the unit reported none. */
  readonly speedKmh: Float64Array;
}

/** Cleaned positions on a plane, in order of time, at most one for each moment. */
export interface Track {
  readonly length: number;
  readonly timeMs: Float64Array;
  /** Metres east and north on the plane. */
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly speedKmh: Float64Array;
}

/** The points of a track between two indexes; `to` is excluded. */
export function partOf(track: Track, from: number, to: number): Track {
  return {
    length: to - from,
    timeMs: track.timeMs.subarray(from, to),
    x: track.x.subarray(from, to),
    y: track.y.subarray(from, to),
    speedKmh: track.speedKmh.subarray(from, to),
  };
}

/** Above the speed of any bus, with room for noise: 144 km/h. */
const MAX_SPEED_M_PER_S = 40;
/** Greatest distance between two fixes of a standing unit, metres. */
const NOISE_M = 120;
/** This many successive points that agree with each other, but not with earlier ones, are accepted. */
const ACCEPTED_POINTS = 3;

/** Orders positions, and leaves out repeats of a moment and jumps that no bus can make. */
export function cleanTrack(positions: Positions, plane: Plane): Track {
  const order = orderOf(positions);
  const { timeMs, latitude, longitude, speedKmh } = positions;
  const size = order.length;
  const track = {
    timeMs: new Float64Array(size),
    x: new Float64Array(size),
    y: new Float64Array(size),
    speedKmh: new Float64Array(size),
  };
  let length = 0;
  // Points that cannot follow the last accepted one; they end at index `length + suspects - 1`.
  let suspects = 0;
  for (let n = 0; n < size; n += 1) {
    const from = i32(order, n);
    const t = f64(timeMs, from);
    if (length + suspects > 0 && track.timeMs[length + suspects - 1] === t) continue;
    const at = length + suspects;
    track.timeMs[at] = t;
    track.x[at] = plane.xOf(f64(longitude, from));
    track.y[at] = plane.yOf(f64(latitude, from));
    track.speedKmh[at] = f64(speedKmh, from);
    if (length === 0 || canFollow(track, length - 1, at)) {
      if (suspects > 0) move(track, at, length);
      suspects = 0;
      length += 1;
    } else if (suspects === 0 || canFollow(track, at - 1, at)) {
      suspects += 1;
      if (suspects >= ACCEPTED_POINTS) {
        length += suspects;
        suspects = 0;
      }
    } else {
      move(track, at, length);
      suspects = 1;
    }
  }
  return {
    length,
    timeMs: track.timeMs.subarray(0, length),
    x: track.x.subarray(0, length),
    y: track.y.subarray(0, length),
    speedKmh: track.speedKmh.subarray(0, length),
  };
}

type Columns = Omit<Track, 'length'>;

function canFollow(track: Columns, a: number, b: number): boolean {
  const metres = Math.hypot(f64(track.x, b) - f64(track.x, a), f64(track.y, b) - f64(track.y, a));
  const seconds = (f64(track.timeMs, b) - f64(track.timeMs, a)) / 1000;
  return metres <= NOISE_M + MAX_SPEED_M_PER_S * seconds;
}

function move(track: Columns, from: number, to: number): void {
  for (const column of [track.timeMs, track.x, track.y, track.speedKmh]) {
    column[to] = f64(column, from);
  }
}

function orderOf({ timeMs, latitude, longitude, speedKmh }: Positions): Uint32Array {
  const order = new Uint32Array(timeMs.length);
  let isOrdered = true;
  for (let n = 0; n < order.length; n += 1) {
    order[n] = n;
    if (n > 0 && !(f64(timeMs, n) > f64(timeMs, n - 1))) isOrdered = false;
  }
  if (isOrdered) return order;
  return order.sort((a, b) => {
    for (const column of [timeMs, latitude, longitude, speedKmh]) {
      const difference = f64(column, a) - f64(column, b);
      if (difference < 0 || difference > 0) return difference;
    }
    // Only unknown speeds are left to compare: known ones first.
    return Number(Number.isNaN(speedKmh[a])) - Number(Number.isNaN(speedKmh[b]));
  });
}

/** Index of the first point at or after a moment; the track's length if there is none. */
export function indexAt(track: Track, timeMs: number): number {
  return firstAtLeast(track.timeMs, timeMs);
}
