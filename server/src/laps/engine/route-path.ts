// A route as one line that a bus follows lap after lap: the forward leg, then the reverse leg, with the place of each
// stop along it. The line comes from the route's track where the stops lie along that, else from stop to stop.

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
  /** There and back, or one way; empty when it is not known. */
  readonly track: readonly Place[];
  /** Where laps begin: the bus's own terminal, else the route's first. Unknown ids count as none. */
  readonly terminalStopId: number | null;
  /** Where the reverse leg begins; none: the last stop of the forward leg. */
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

/** The line of a route on a plane, begun at the terminal where laps begin. */
export interface RoutePath {
  readonly plane: Plane;
  readonly x: Float64Array;
  readonly y: Float64Array;
  /** Metres from the start to each vertex. */
  readonly at: Float64Array;
  readonly lengthM: number;
  /** The end meets the start, so that a bus drives on into the next lap. */
  readonly closed: boolean;
  /** In the order of the path; the first is the terminal. */
  readonly stops: readonly PathStop[];
  /** Where the second leg begins, metres from the start; null for a circular route and a one-way one. */
  readonly turnAt: number | null;
  /** The stop at which the second leg begins, and the leg's direction before it. */
  readonly firstLeg: Direction;
  /** From stop to stop only: streets are not known. */
  readonly straight: boolean;
}

/** Ends that lie this near to each other are one terminal. */
const SAME_TERMINAL_M = 400;
/**
 * A track of more points is drawn more coarsely before it is followed, by so many metres, doubled until it has no more:
 * a thousand stops are held against each of its pieces. Real feeds have up to 7,000 for a route there and back.
 */
const MOST_VERTICES = 10_000;
const FINE_M = 2;
/** Farther than this from a track a stop is not of it. */
const OFF_TRACK_M = 150;
/** Whether a path is closed is told by so many of its stops and points of its track: ends, way and length show it. */
const TELLING_STOPS = 40;
const TELLING_POINTS = 10_000;

/**
 * Builds the path of a route.
 * @returns null when the route has fewer than two stops: there is nothing to drive along
 */
export function buildPath(route: Route): RoutePath | null {
  const ordered = orderedStops(route.stops);
  if (ordered.length < 2) return null;
  return begunAtTerminal(route, ordered, followed(ordered, thinned(route.track)));
}

/**
 * Whether the path of a route is closed, in a time that follows from the length of its track alone: for calls that
 * cannot wait for the path. A route of more than 40 stops or 10,000 points is judged by some of them.
 * @returns null for a route without a path
 */
export function hasClosedPath({ stops, track }: Pick<Route, 'stops' | 'track'>): boolean | null {
  const ordered = orderedStops(stops);
  if (ordered.length < 2) return null;
  if (goesBackOn(ordered)) return true;
  const few = followed(spread(ordered, TELLING_STOPS), spread(track, TELLING_POINTS));
  return cutToStops(few, ordered).closed;
}

const goesBackOn = (stops: readonly RouteStop[]): boolean =>
  stops.some((stop) => stop.direction === 'REVERSE');

// So many of a list at most, with both ends.
function spread<T>(list: readonly T[], most: number): readonly T[] {
  if (list.length <= most) return list;
  const step = (list.length - 1) / (most - 1);
  return Array.from({ length: most }, (_, n) => list[Math.round(n * step)] as T);
}

/** The line that fits the stops of a route best, and where they lie along it. */
interface Followed {
  readonly plane: Plane;
  readonly line: Line;
  readonly stopsAt: readonly number[];
  readonly straight: boolean;
}

// @param ordered two stops or more
function followed(ordered: readonly RouteStop[], track: readonly Place[]): Followed {
  const plane = planeAt(ordered[0] as RouteStop);
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
  // Some stops are served at the second time round alone; one out of its order is no reason to think so.
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

// A track may be drawn there and back, one way only, the other way round, or, when it is closed, from any of its
// points. What fits the stops best is taken.
function candidates(line: Line, goesBack: boolean): Line[] {
  if (line.x.length < 2) return [];
  const back: Line = { ...line, x: [...line.x].reverse(), y: [...line.y].reverse() };
  // Twice round holds every way to begin; what is not needed is cut off.
  const twice = (a: Line, b: Line): Line => ({
    ...joined(joined(a, b), joined(a, b)),
    ringM: lengthOf(joined(a, b)) + gapOf(joined(a, b)),
  });
  const nothing: Line = { x: [], y: [], ringM: null };
  if (gapOf(line) <= SAME_TERMINAL_M) return [twice(line, nothing), twice(back, nothing)];
  if (!goesBack) return [line, back];
  return [line, back, twice(line, back), twice(back, line)];
}

// The piece of the line from the first stop to the last, or once round.
// @param all the stops of the route, of which the line may have been found by some
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

// A closed line is joined to its own start; an open one keeps its beginning.
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

/** Whether a route is driven one way only: its laps neither come back nor go round, so nobody rides against its order. */
export function goesOneWay(route: Pick<Route, 'stops' | 'track'>): boolean {
  return hasClosedPath(route) === false;
}
