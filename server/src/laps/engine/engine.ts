// From positions to halts, laps and stop visits. Pure: the same positions in whatever order and however often give
// the same answer, and what a day gives does not depend on how it was cut up on the way here.

import { f64 } from '@ridewatch/contract/columns';
import { leastOf, mostOf } from '@ridewatch/contract/extremes';
import { cutLaps, type IncompleteReason, type LapPiece, wholeTrack } from './cut.ts';
import type { Finder } from './geometry/places-near.ts';
import { type Place, type Plane, planeAt } from './geometry/plane.ts';
import { findHalts, type Halt } from './halts.ts';
import { finderOf, matchTrack } from './match.ts';
import { buildPath, type Direction, type Route, type RoutePath } from './route-path.ts';
import { stillSinceMs } from './track/still.ts';
import { cleanTrack, type Positions, type Track } from './track/track.ts';
import { listVisits, type Visit } from './visits.ts';

/** One way of a round trip. */
export interface Leg {
  readonly direction: Direction;
  readonly startMs: number;
  readonly endMs: number;
}

export interface Lap {
  readonly startMs: number;
  readonly endMs: number;
  /** When the bus came to the terminal at which the lap begins or ends; null where it did not. */
  readonly arrivedBeforeMs: number | null;
  readonly arrivedAfterMs: number | null;
  /** The first fix at the place where the lap ends, when the bus is there still; null where it is not. */
  readonly standsSinceMs: number | null;
  readonly incomplete: IncompleteReason | null;
  readonly legs: readonly Leg[];
  /** In the order of the route; empty off the route. */
  readonly visits: readonly Visit[];
}

export interface PlacedHalt extends Place {
  readonly startMs: number;
  readonly endMs: number;
}

export interface Driven {
  readonly halts: readonly PlacedHalt[];
  readonly laps: readonly Lap[];
  /** The positions that were believed, in order of time, no two at one moment. */
  readonly track: Positions;
  /** Since when the bus has stayed where it was seen last; null without a track. */
  readonly stillSinceMs: number | null;
}

/** Fixes farther apart than this are separate tracks. */
export const SPLIT_MS = 2 * 3_600_000;
/** On a shorter line a bus is at its terminal wherever it is, metres. */
const LEAST_PATH_M = 100;

/**
 * What a bus did.
 * @param route as valid on the day; null: none
 * @param eventsMs moments of its passenger events, in any order
 */
export function followBus(
  positions: Positions,
  route: Route | null,
  eventsMs: readonly number[],
): Driven {
  // Nothing follows a path where nothing is known of the bus's way, and an intricate one takes a second.
  const path = route === null || positions.timeMs.length === 0 ? null : buildPath(route);
  const plane = path?.plane ?? planeAt(middlePlace(positions));
  const whole = cleanTrack(positions, plane);
  const events = [...eventsMs].sort((a, b) => a - b);
  const find = path === null || path.lengthM < LEAST_PATH_M ? null : finderOf(path);
  const halts: PlacedHalt[] = [];
  const laps: Lap[] = [];
  for (const track of piecesOf(whole)) {
    const stood = findHalts(track);
    for (const halt of stood) {
      halts.push({
        startMs: halt.startMs,
        endMs: halt.endMs,
        latitude: plane.latitudeOf(halt.y),
        longitude: plane.longitudeOf(halt.x),
      });
    }
    if (path === null) continue;
    // Stops that all lie at one place are no line: nobody drives along it.
    const added =
      find === null ? lapsOff(track, 'off_route') : lapsOf(track, stood, path, find, events);
    for (const lap of added) laps.push(lap);
  }
  return {
    halts,
    laps: path === null ? lapsOff(whole, 'no_route') : laps,
    track: placed(whole, plane),
    stillSinceMs: stillSinceMs(whole),
  };
}

// A track along no route.
const lapsOff = (track: Track, reason: IncompleteReason): Lap[] =>
  wholeTrack(track, reason).map((one) => lapOf(one, null, []));

function placed({ length, timeMs, x, y, speedKmh }: Track, plane: Plane): Positions {
  const latitude = new Float64Array(length);
  const longitude = new Float64Array(length);
  for (let n = 0; n < length; n += 1) {
    latitude[n] = plane.latitudeOf(f64(y, n));
    longitude[n] = plane.longitudeOf(f64(x, n));
  }
  return { timeMs, latitude, longitude, speedKmh };
}

function lapsOf(
  track: Track,
  halts: readonly Halt[],
  path: RoutePath,
  find: Finder,
  events: readonly number[],
): Lap[] {
  const match = matchTrack(track, path, find);
  return cutLaps(track, halts, path, match).map((piece) =>
    lapOf(piece, path, listVisits(track, halts, path, match, piece, events)),
  );
}

function lapOf(piece: LapPiece, path: RoutePath | null, visits: readonly Visit[]): Lap {
  const { startMs, endMs, turnMs } = piece;
  const firstLeg = path?.firstLeg ?? 'FORWARD';
  const secondLeg = firstLeg === 'FORWARD' ? 'REVERSE' : 'FORWARD';
  const cutMs = turnMs === null ? endMs : betweenLegs(turnMs, visits, firstLeg);
  const legs: Leg[] = [
    { direction: firstLeg, startMs, endMs: cutMs },
    { direction: secondLeg, startMs: cutMs, endMs },
  ];
  return {
    startMs,
    endMs,
    arrivedBeforeMs: piece.arrivedBeforeMs,
    arrivedAfterMs: piece.arrivedAfterMs,
    standsSinceMs: piece.standsSinceMs,
    incomplete: piece.incomplete,
    legs: piece.round === null ? [] : legs.filter((leg) => leg.endMs > leg.startMs),
    visits,
  };
}

// Where streets or fixes are few the moment of turning is a guess; what the bus called at before and after it is not.
function betweenLegs(turnMs: number, visits: readonly Visit[], firstLeg: Direction): number {
  const leftMs = visits
    .filter(({ stop }) => stop.direction === firstLeg)
    .flatMap(({ departureMs }) => departureMs ?? []);
  const reachedMs = visits
    .filter(({ stop }) => stop.direction !== firstLeg)
    .flatMap(({ arrivalMs }) => arrivalMs ?? []);
  // One stay at the far terminal is the end of one leg and the beginning of the other: then they change within it.
  const bounds = [mostOf(leftMs, Number), leastOf(reachedMs, Number)].sort((a, b) => a - b);
  const [fromMs = turnMs, toMs = turnMs] = bounds;
  return Math.min(Math.max(turnMs, fromMs), toMs);
}

function piecesOf(track: Track): Track[] {
  const pieces: Track[] = [];
  let start = 0;
  for (let n = 1; n <= track.length; n += 1) {
    const isEnd = n === track.length;
    if (!isEnd && f64(track.timeMs, n) - f64(track.timeMs, n - 1) <= SPLIT_MS) continue;
    pieces.push({
      length: n - start,
      timeMs: track.timeMs.subarray(start, n),
      x: track.x.subarray(start, n),
      y: track.y.subarray(start, n),
      speedKmh: track.speedKmh.subarray(start, n),
    });
    start = n;
  }
  return track.length === 0 ? [] : pieces;
}

// The plane must not hang on the order of arrival: the middle of the extremes, across the antimeridian where that is
// the shorter way.
function middlePlace({ latitude, longitude }: Positions): Place {
  if (latitude.length === 0) return { latitude: 0, longitude: 0 };
  const [west, east] = extremes(longitude);
  const [south, north] = extremes(latitude);
  const [westOf, eastOf] =
    east - west > 180
      ? extremes(longitude.map((one) => (one < 0 ? one + 360 : one)))
      : [west, east];
  const middle = (westOf + eastOf) / 2;
  return { latitude: (south + north) / 2, longitude: middle > 180 ? middle - 360 : middle };
}

function extremes(values: Float64Array): readonly [least: number, most: number] {
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  for (const value of values) {
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  return [least, most];
}
