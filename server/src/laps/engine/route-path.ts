// Builds the path of a route: one line that a bus follows lap after lap, the forward leg, then the reverse leg, with
// the place of each stop along it. The line is the route's track if the stops lie along that, else it goes from stop to
// stop.

import { num } from '@ridewatch/contract/columns';
import {
  addPoint,
  cutLine,
  distancesOf,
  gapOf,
  joined,
  type Line,
  lengthOf,
} from './geometry/line.ts';
import { type Place, type Plane, planeAt } from './geometry/plane.ts';
import { simplifyLine } from './geometry/simplify.ts';
import { placeStops, stopsOnLine } from './stop-places.ts';

export type Direction = 'FORWARD' | 'REVERSE';

export interface RouteStop extends Place {
  readonly id: number;
  readonly direction: Direction;
  /** Counts from 0 within each direction. */
  readonly orderKey: number;
}

/** A route as it is valid on a day. */
export interface Route {
  readonly stops: readonly RouteStop[];
  /** Both directions, or one; empty if unknown. */
  readonly track: readonly Place[];
  /** Stop where laps begin: the bus's own terminal, else the route's first. An unknown id counts as null. */
  readonly terminalStopId: number | null;
  /** Stop where the reverse leg begins; null for the last stop of the forward leg. */
  readonly lastTerminalStopId: number | null;
}

export interface PathStop {
  readonly stop: RouteStop;
  /** Metres from the start of the path. */
  readonly at: number;
  /** Metres from the path. */
  readonly distanceM: number;
  readonly x: number;
  readonly y: number;
}

/** The line of a route on a plane, from the terminal where laps begin. */
export interface RoutePath {
  readonly plane: Plane;
  readonly x: Float64Array;
  readonly y: Float64Array;
  /** Metres from the start to each vertex. */
  readonly at: Float64Array;
  readonly lengthM: number;
  /** The end meets the start: a bus drives on into the next lap. */
  readonly closed: boolean;
  /** In the order of the path; the first is the terminal. */
  readonly stops: readonly PathStop[];
  /** The start of the second leg, metres from that of the route; null for a circular route and a one-way one. */
  readonly turnAt: number | null;
  /** Direction of the first leg. */
  readonly firstLeg: Direction;
  /** The path goes straight from stop to stop: the streets are unknown. */
  readonly straight: boolean;
}

/** Greatest distance between two ends that are one terminal, metres. */
const SAME_TERMINAL_M = 400;
/**
 * A track of more points is simplified, first by FINE_M metres, then by twice that and so on: up to a thousand stops
 * are compared with each of its edges. Real feeds have up to 7,000 points for a route in both directions.
 */
const MOST_VERTICES = 10_000;
const FINE_M = 2;
/** A stop farther than this from a track does not lie along it, metres. */
const OFF_TRACK_M = 150;
/** Stops and track points of the sample that decides whether a path is closed: ends, course and length suffice. */
const SAMPLED_STOPS = 40;
const SAMPLED_POINTS = 10_000;

/**
 * Builds the path of a route.
 * @param plane of the path; through its first stop unless given
 * @returns null if the route has fewer than two stops
 */
export function buildPath(route: Route, plane?: Plane): RoutePath | null {
  const ordered = orderedStops(route.stops);
  const [first] = ordered;
  if (first === undefined || ordered.length < 2) return null;
  const found = followed(ordered, thinned(route.track), plane ?? planeAt(first));
  return begunAtTerminal(route, ordered, found);
}

/**
 * Whether the path of a route is closed. Takes time proportional to the length of the track, for calls that cannot wait
 * for the path. Of more than 40 stops or 10,000 points it looks at a sample.
 * @returns null for a route without a path
 */
export function hasClosedPath({ stops, track }: Pick<Route, 'stops' | 'track'>): boolean | null {
  const ordered = orderedStops(stops);
  if (ordered.length < 2) return null;
  if (goesBackOn(ordered)) return true;
  const few = followed(
    sample(ordered, SAMPLED_STOPS),
    sample(track, SAMPLED_POINTS),
    planeAt(ordered[0] as RouteStop),
  );
  return cutToStops(few, ordered).closed;
}

const goesBackOn = (stops: readonly RouteStop[]): boolean =>
  stops.some((stop) => stop.direction !== stops[0]?.direction);

// At most this many entries of a list, evenly spread, with both ends.
function sample<T>(list: readonly T[], most: number): readonly T[] {
  if (list.length <= most) return list;
  const step = (list.length - 1) / (most - 1);
  return Array.from({ length: most }, (_, n) => list[Math.round(n * step)] as T);
}

/** The line that fits the stops of a route best, and their places along it, metres. */
interface Followed {
  readonly plane: Plane;
  readonly line: Line;
  readonly stopsAt: readonly number[];
  readonly straight: boolean;
}

// @param ordered two stops or more
function followed(ordered: readonly RouteStop[], track: readonly Place[], plane: Plane): Followed {
  const lineOf = (places: readonly Place[]): Line => ({
    x: places.map((place) => plane.xOf(place.longitude)),
    y: places.map((place) => plane.yOf(place.latitude)),
    ringM: null,
  });
  const stopLine = lineOf(ordered);
  const lines = candidates(lineOf(track), goesBackOn(ordered)).map((line) => {
    return { line, beside: stopsOnLine(line, stopLine) };
  });
  const fitting = (rounds: number) =>
    lines
      .map(({ line, beside }) => ({
        line,
        placed: placeStops(beside, line.ringM === null ? null : line.ringM * rounds),
      }))
      .filter(({ placed }) => placed.worstShare(OFF_TRACK_M) <= 0.2)
      .sort((a, b) => a.placed.cost - b.placed.cost)[0];
  // Some routes serve stops only on a second round. A single stop out of order does not show that.
  const best = fitting(1) ?? fitting(2);
  const { line, placed } = best ?? {
    line: stopLine,
    placed: placeStops(stopsOnLine(stopLine, stopLine), null),
  };
  return { plane, line, stopsAt: placed.at, straight: best === undefined };
}

function thinned(track: readonly Place[]): readonly Place[] {
  let line = track;
  for (let toleranceM = FINE_M; line.length > MOST_VERTICES; toleranceM *= 2) {
    line = simplifyLine(line, toleranceM);
  }
  return line;
}

function orderedStops(stops: readonly RouteStop[]): RouteStop[] {
  const rank = { FORWARD: 0, REVERSE: 1 };
  return [...stops].sort(
    (a, b) => rank[a.direction] - rank[b.direction] || a.orderKey - b.orderKey || a.id - b.id,
  );
}

// A track may be drawn in both directions, in one, reversed, or, if it is closed, from any of its points. The caller
// takes the line that fits the stops best.
function candidates(line: Line, goesBack: boolean): Line[] {
  if (line.x.length < 2) return [];
  const back: Line = { ...line, x: [...line.x].reverse(), y: [...line.y].reverse() };
  // Two rounds contain one from every start; the rest is cut off.
  const twice = (a: Line, b: Line): Line => ({
    ...joined(joined(a, b), joined(a, b)),
    ringM: lengthOf(joined(a, b)) + gapOf(joined(a, b)),
  });
  const nothing: Line = { x: [], y: [], ringM: null };
  if (gapOf(line) <= SAME_TERMINAL_M) return [twice(line, nothing), twice(back, nothing)];
  if (!goesBack) return [line, back];
  return [line, back, twice(line, back), twice(back, line)];
}

// The part of the line from the first stop to the last, or one round.
// @param all the stops of the route; the line may have been found by a sample of them
function cutToStops({ line, stopsAt }: Followed, all: readonly RouteStop[]) {
  const startAt = stopsAt[0] ?? 0;
  const endAt = stopsAt.at(-1) ?? 0;
  const cut = cutLine(line, startAt, Math.max(endAt, startAt + (line.ringM ?? 0)));
  const ends = gapOf(cut);
  const gapM = (endAt - startAt) / Math.max(all.length - 1, 1);
  const isNear = ends <= Math.max(SAME_TERMINAL_M, 2 * gapM);
  return { cut, ends, closed: goesBackOn(all) || line.ringM !== null || isNear };
}

function begunAtTerminal(route: Route, ordered: readonly RouteStop[], found: Followed): RoutePath {
  const { plane, stopsAt, straight } = found;
  const { cut, ends, closed } = cutToStops(found, ordered);
  const lengthM = lengthOf(cut) + (closed ? ends : 0);
  const first = Math.max(
    0,
    closed ? ordered.findIndex((stop) => stop.id === route.terminalStopId) : 0,
  );
  const shift = (stopsAt[first] ?? 0) - (stopsAt[0] ?? 0);
  const turned = rotated(cut, shift, closed);
  const stops = ordered.map((stop, index) => {
    const at = (stopsAt[index] ?? 0) - (stopsAt[0] ?? 0) - shift;
    const x = plane.xOf(stop.longitude);
    const y = plane.yOf(stop.latitude);
    return { stop, x, y, at: at < 0 ? at + lengthM : at };
  });
  const inOrder = [...stops.slice(first), ...stops.slice(0, first)];
  const firstLeg = ordered[first]?.direction ?? 'FORWARD';
  const at = distancesOf(turned);
  return {
    plane,
    x: Float64Array.from(turned.x),
    y: Float64Array.from(turned.y),
    at,
    lengthM,
    closed,
    stops: inOrder.map((stop) => ({ ...stop, distanceM: distanceTo(turned, at, stop) })),
    turnAt: goesBackOn(ordered) ? turnOf(route, inOrder, firstLeg) : null,
    firstLeg,
    straight,
  };
}

function turnOf(
  route: Route,
  stops: readonly { stop: RouteStop; at: number }[],
  firstLeg: Direction,
): number | null {
  const marked = stops.find(({ stop }) => stop.id === route.lastTerminalStopId);
  if (marked !== undefined && marked.at > 0) return marked.at;
  const next = stops.findIndex(({ stop }) => stop.direction !== firstLeg);
  return stops[Math.max(next - 1, 0)]?.at ?? null;
}

// Lets a closed line begin at `shift` metres; an open one stays as it is.
function rotated(line: Line, shift: number, closed: boolean): Line {
  if (!closed) return line;
  const ring: Line = {
    x: [...line.x, num(line.x, 0)],
    y: [...line.y, num(line.y, 0)],
    ringM: null,
  };
  if (shift <= 0) return ring;
  return joined(cutLine(ring, shift, lengthOf(ring)), cutLine(ring, 0, shift));
}

function distanceTo(
  line: Line,
  at: Float64Array,
  { x, y, at: metres }: { x: number; y: number; at: number },
): number {
  const on: Line = { x: [], y: [], ringM: null };
  addPoint(on, line, at, metres);
  return Math.hypot(x - num(on.x, 0), y - num(on.y, 0));
}

/** Whether a route goes one way only: its path is not closed, so no passenger rides against the order of stops. */
export function goesOneWay(route: Pick<Route, 'stops' | 'track'>): boolean {
  return hasClosedPath(route) === false;
}
