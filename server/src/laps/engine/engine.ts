// Computes halts, laps and stop visits from positions. Pure: the result does not depend on the order of the positions,
// on repeats, nor on how they were split into batches.

import { f64 } from '@ridewatch/contract/columns';
import { leastOf, mostOf } from '@ridewatch/contract/extremes';
import type { Candidate } from './choose-laps.ts';
import { cutLaps, type IncompleteReason, type LapSpan, MAX_LAYOVER_MS, wholeTrack } from './cut.ts';
import { fitOf } from './fit.ts';
import { middlePlace } from './geometry/middle-place.ts';
import type { Finder } from './geometry/places-near.ts';
import { type Place, type Plane, planeAt } from './geometry/plane.ts';
import { findHalts, type Halt } from './halts.ts';
import { finderOf, matchTrack } from './match.ts';
import { type LapsBy, lapsOfPatterns } from './pattern-laps.ts';
import { buildPath, type Direction, type Route, type RoutePath } from './route-path.ts';
import { drivesStraightOn } from './straight-on.ts';
import { farTerminal, isOnePlace } from './terminal-stays.ts';
import { stillSinceMs } from './track/still.ts';
import { cleanTrack, type Positions, partOf, type Track } from './track/track.ts';
import type { Visit } from './visit.ts';
import { listVisits } from './visits.ts';

/** One direction of a lap. */
export interface Leg {
  readonly direction: Direction;
  readonly startMs: number;
  readonly endMs: number;
}

/** The stops at which passengers get off and on at the far terminal. */
export interface TurnVisits {
  readonly arrives: number;
  readonly departs: number;
}

export interface Lap {
  readonly startMs: number;
  readonly endMs: number;
  /**
   * When it leaves the last stand of the layover before it: for readers it starts then, and the lap before it ends. For
   * people it starts with the departure from its stop.
   */
  readonly leavesMs: number;
  /** When the bus arrived at the terminal where the lap begins or ends; null if it did not. */
  readonly arrivedBeforeMs: number | null;
  readonly arrivedAfterMs: number | null;
  /** The first fix at the place where the lap ends if the bus is still there; else null. */
  readonly standsSinceMs: number | null;
  readonly incomplete: IncompleteReason | null;
  readonly legs: readonly Leg[];
  /** In the order of the route; empty off the route. */
  readonly visits: readonly Visit[];
  /** The pattern that the lap fits best: 0 for the default one, n for the n-th further one. */
  readonly pattern: number;
  /** Indexes of the visits at the far terminal, where one leg ends and the next begins; null unless its two stops are one place. */
  readonly turn: TurnVisits | null;
}

/**
 * From when on passengers board a lap, ms since 1970 UTC: from the arrival before it, at most an hour before the
 * departure. A day sees some hours of its neighbours only, so a longer break must not depend on what lies beyond.
 */
export function boardingFromMs({ startMs, arrivedBeforeMs }: Lap): number {
  return Math.max(Math.min(arrivedBeforeMs ?? startMs, startMs), startMs - MAX_LAYOVER_MS);
}

export interface PlacedHalt extends Place {
  readonly startMs: number;
  readonly endMs: number;
}

export interface Driven {
  readonly halts: readonly PlacedHalt[];
  readonly laps: readonly Lap[];
  /** The plausible positions, in order of time, at most one for each moment. */
  readonly track: Positions;
  /** Since when the bus has stayed at its last place; null without a track. */
  readonly stillSinceMs: number | null;
}

/** A route by a further pattern. */
export interface FurtherRoute extends Route {
  /** Its runs for each run of the default pattern, by the timetable; null where unknown. */
  readonly runs?: number | null;
}

/** A longer gap between two fixes splits the track, ms. */
export const SPLIT_MS = 2 * 3_600_000;
/** On a shorter path every place is at the terminal, metres. */
const LEAST_PATH_M = 100;

/**
 * Computes what a bus did.
 * @param route as valid on the day, with its default pattern; null for none
 * @param eventsMs moments of its passenger events, in any order
 * @param further the route's further patterns
 */
export function followBus(
  positions: Positions,
  route: Route | null,
  eventsMs: readonly number[],
  further: readonly FurtherRoute[] = [],
): Driven {
  // Without positions the path is not needed, and building an intricate one takes a second.
  const path = route === null || positions.timeMs.length === 0 ? null : buildPath(route);
  const plane = path?.plane ?? planeAt(middlePlace(positions));
  const whole = cleanTrack(positions, plane);
  const events = [...eventsMs].sort((a, b) => a - b);
  const ways = path === null ? [] : waysOf(path, further);
  const halts: PlacedHalt[] = [];
  const laps: Lap[] = [];
  for (const track of splitAtGaps(whole)) {
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
    // Stops that all lie at one place form no line to drive along.
    const added =
      ways.length === 0 ? lapsOff(track, 'off_route') : lapsOf(track, stood, ways, events);
    for (const lap of added) laps.push(lap);
  }
  return {
    halts,
    laps: path === null ? lapsOff(whole, 'no_route') : laps,
    track: placed(whole, plane),
    stillSinceMs: stillSinceMs(whole),
  };
}

// A whole track off any route, as one lap.
const lapsOff = (track: Track, reason: IncompleteReason): Lap[] =>
  wholeTrack(track, reason).map((one) => lapOf(one, null, [], 0));

function placed({ length, timeMs, x, y, speedKmh }: Track, plane: Plane): Positions {
  const latitude = new Float64Array(length);
  const longitude = new Float64Array(length);
  for (let n = 0; n < length; n += 1) {
    latitude[n] = plane.latitudeOf(f64(y, n));
    longitude[n] = plane.longitudeOf(f64(x, n));
  }
  return { timeMs, latitude, longitude, speedKmh };
}

/** A pattern that can be followed. */
interface Way {
  readonly pattern: number;
  readonly path: RoutePath;
  readonly find: Finder;
  readonly runs: number | null;
}

// The patterns whose stops form a line to drive along, all on one plane.
function waysOf(path: RoutePath, further: readonly FurtherRoute[]): Way[] {
  const paths = [path, ...further.map((route) => buildPath(route, path.plane))];
  return paths.flatMap((own, pattern) => {
    if (own === null || own.lengthM < LEAST_PATH_M) return [];
    const runs = further[pattern - 1]?.runs ?? null;
    return [{ pattern, path: own, find: finderOf(own), runs }];
  });
}

function lapsOf(
  track: Track,
  halts: readonly Halt[],
  ways: readonly Way[],
  events: readonly number[],
): Lap[] {
  const [first, ...others] = ways;
  if (first === undefined) return [];
  if (others.length === 0) {
    return lapsAlong(track, halts, first, events).laps.map(({ lap }) => lap);
  }
  const by =
    (way: Way): LapsBy<Fitted> =>
    (part, stood) =>
      fittedLaps(part, stood, way, events);
  const laps = lapsOfPatterns(track, halts, [by(first), ...others.map(by)]).map(({ lap }) => lap);
  return laps.map((lap, n) => endedBy(lap, laps[n + 1]?.startMs ?? lap.endMs));
}

// The next lap, by another pattern, may begin a little before this one ends.
function endedBy(lap: Lap, nextMs: number): Lap {
  if (nextMs >= lap.endMs) return lap;
  const legs = lap.legs.map((leg) => ({ ...leg, endMs: Math.min(leg.endMs, nextMs) }));
  return { ...lap, endMs: nextMs, legs: legs.filter((leg) => leg.endMs > leg.startMs) };
}

function lapsAlong(
  track: Track,
  halts: readonly Halt[],
  { pattern, path, find }: Way,
  events: readonly number[],
) {
  const match = matchTrack(track, path, find);
  const laps = cutLaps(track, halts, path, match).map((span) => ({
    span,
    lap: lapOf(span, path, listVisits(track, halts, path, match, span, events), pattern),
  }));
  return { match, laps };
}

type Fitted = Candidate & { readonly lap: Lap };

function fittedLaps(track: Track, ...along: [readonly Halt[], Way, readonly number[]]): Fitted[] {
  const [halts, { pattern, path, runs }] = along;
  const { match, laps } = lapsAlong(track, ...along);
  return laps.map(({ span, lap }) => ({
    lap,
    pattern,
    startMs: span.startMs,
    endMs: span.endMs,
    runs,
    isComplete: span.incomplete === null,
    beginsMidway: span.round !== null && drivesStraightOn(track, halts, span.startMs),
    ...fitOf(track, match, path, span),
    stopIds: lap.visits.map(({ stop }) => stop.id),
    aheadIds: lap.visits.flatMap(({ stop, skipped }) => (skipped === 'ahead' ? [stop.id] : [])),
    visits: lap.visits.flatMap(({ stop, arrivalMs }) =>
      arrivalMs === null ? [] : [{ id: stop.id, arrivalMs }],
    ),
  }));
}

function lapOf(
  span: LapSpan,
  path: RoutePath | null,
  visits: readonly Visit[],
  pattern: number,
): Lap {
  const { startMs, endMs, turn } = span;
  const firstLeg = path?.firstLeg ?? 'FORWARD';
  const secondLeg: Direction = firstLeg === 'FORWARD' ? 'REVERSE' : 'FORWARD';
  const turnMs =
    turn === null || turn.isSeen ? null : betweenLegs(turn.arrivalMs, visits, firstLeg);
  // A bus that leaves the terminal again at once did not arrive twice.
  const arrivedMs = Math.max(startMs, span.arrivedAtEndMs ?? span.arrivedAfterMs ?? endMs);
  const legs: Leg[] = [
    { direction: firstLeg, startMs, endMs: turn === null ? arrivedMs : (turnMs ?? turn.arrivalMs) },
  ];
  if (turn?.isOver === true) {
    legs.push({ direction: secondLeg, startMs: turnMs ?? turn.departureMs, endMs: arrivedMs });
  }
  return {
    startMs,
    endMs,
    leavesMs: span.leavesMs,
    arrivedBeforeMs: span.arrivedBeforeMs,
    arrivedAfterMs: span.arrivedAfterMs,
    standsSinceMs: span.standsSinceMs,
    incomplete: span.incomplete,
    legs: span.round === null ? [] : legs.filter((leg) => leg.endMs > leg.startMs),
    visits,
    pattern,
    turn: visits.length > 0 && path !== null ? turnVisitsOf(path) : null,
  };
}

function turnVisitsOf(path: RoutePath): TurnVisits | null {
  const far = farTerminal(path);
  if (far === undefined || far.arrives === far.departs) return null;
  if (!isOnePlace(far.arrives, far.departs)) return null;
  return { arrives: path.stops.indexOf(far.arrives), departs: path.stops.indexOf(far.departs) };
}

// The moment of an unseen turn is uncertain; the visits before and after it are not, so they bound it.
function betweenLegs(turnMs: number, visits: readonly Visit[], firstLeg: Direction): number {
  const leftMs = visits
    .filter(({ stop }) => stop.direction === firstLeg)
    .flatMap(({ departureMs }) => departureMs ?? []);
  const reachedMs = visits
    .filter(({ stop }) => stop.direction !== firstLeg)
    .flatMap(({ arrivalMs }) => arrivalMs ?? []);
  // One stay at the far terminal can end one leg and begin the other; then the change lies within it.
  const bounds = [mostOf(leftMs, Number), leastOf(reachedMs, Number)].sort((a, b) => a - b);
  const [fromMs = turnMs, toMs = turnMs] = bounds;
  return Math.min(Math.max(turnMs, fromMs), toMs);
}

function splitAtGaps(track: Track): Track[] {
  const tracks: Track[] = [];
  let start = 0;
  for (let n = 1; n <= track.length; n += 1) {
    const isEnd = n === track.length;
    if (!isEnd && f64(track.timeMs, n) - f64(track.timeMs, n - 1) <= SPLIT_MS) continue;
    tracks.push(partOf(track, start, n));
    start = n;
  }
  return track.length === 0 ? [] : tracks;
}
