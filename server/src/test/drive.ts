// Simulates a bus on a path, second by second, with traffic, dwell times and GPS noise; returns the truth, too.
import { f64 } from '@ridewatch/contract/columns';
import {
  buildPath,
  type Route,
  type RoutePath,
  type RouteStop,
} from '../laps/engine/route-path.ts';
import type { Positions } from '../laps/engine/track/track.ts';

const HOME = { latitude: 55.75, longitude: 37.61 };
const METRES_PER_DEGREE = 111_195;

/** The place at a distance east and north of the middle of Moscow, metres. */
export function placeAt(eastM: number, northM: number): { latitude: number; longitude: number } {
  return {
    latitude: HOME.latitude + northM / METRES_PER_DEGREE,
    longitude:
      HOME.longitude + eastM / (METRES_PER_DEGREE * Math.cos((HOME.latitude * Math.PI) / 180)),
  };
}

/** A route with forward stops along a line, every `gapM` metres, and reverse ones on the other side of the street. */
export function thereAndBack(corners: readonly (readonly [number, number])[], gapM: number): Route {
  const forward = along(corners, gapM);
  const backward = along([...corners].reverse(), gapM);
  return {
    track: [...corners, ...[...corners].reverse()].map(([x, y]) => placeAt(x, y)),
    stops: [...stopsOf(forward, 'FORWARD', 1), ...stopsOf(backward, 'REVERSE', 101)],
    terminalStopId: null,
    lastTerminalStopId: null,
  };
}

/** A route with stops along a closed line. */
export function roundTrip(corners: readonly (readonly [number, number])[], gapM: number): Route {
  const closed = [...corners, corners[0] as readonly [number, number]];
  const places = along(closed, gapM).slice(0, -1);
  return {
    track: closed.map(([x, y]) => placeAt(x, y)),
    stops: stopsOf(places, 'FORWARD', 1),
    terminalStopId: null,
    lastTerminalStopId: null,
  };
}

function along(
  corners: readonly (readonly [number, number])[],
  gapM: number,
): (readonly [number, number])[] {
  const places: (readonly [number, number])[] = [];
  for (const [n, [ax, ay]] of corners.entries()) {
    const next = corners[n + 1];
    if (next === undefined) {
      places.push([ax, ay]);
      break;
    }
    const length = Math.hypot(next[0] - ax, next[1] - ay);
    const count = Math.max(1, Math.round(length / gapM));
    for (let k = 0; k < count; k += 1) {
      places.push([ax + ((next[0] - ax) * k) / count, ay + ((next[1] - ay) * k) / count]);
    }
  }
  return places;
}

function stopsOf(
  places: readonly (readonly [number, number])[],
  direction: 'FORWARD' | 'REVERSE',
  firstId: number,
): RouteStop[] {
  return places.map(([x, y], index) => ({
    ...placeAt(x, y),
    id: firstId + index,
    direction,
    orderKey: index,
  }));
}

export interface Driven {
  readonly points: Point[];
  /**
   * Of each lap: departure from the first terminal, ms; stays at the stops of the path, null where it drove past; and
   * when it drove past, null where it stood.
   */
  readonly laps: {
    startMs: number;
    stays: (readonly [number, number] | null)[];
    passings: (number | null)[];
  }[];
}

export type Point = readonly [ms: number, latitude: number, longitude: number, speedKmh: number];

export interface DriveOptions {
  readonly seed: number;
  readonly startMs: number;
  readonly laps: number;
  /** Standard deviation of the noise, metres; 5 by default. */
  readonly noiseM?: number;
  /** Share of stops without a stay; 0 by default. */
  readonly skip?: number;
  /** Layover at each terminal, s; 240 by default. */
  readonly layoverS?: number;
}

/** Drives laps of a route. */
export function drive(route: Route, options: DriveOptions): Driven {
  const path = pathOf(route);
  const random = randomOf(options.seed);
  const noise = noiseOf(random, options.noiseM ?? 5);
  const points: Point[] = [];
  const laps: Driven['laps'] = [];
  let ms = options.startMs;
  let s = 0;
  let speed = 0;
  const second = (): void => {
    const [x, y] = whereOn(path, s);
    const [nx, ny] = noise();
    points.push([ms, path.plane.latitudeOf(y + ny), path.plane.longitudeOf(x + nx), speed * 3.6]);
    ms += 1000;
  };
  const driveTo = (target: number, stops: boolean): void => {
    while (s < target) {
      const allowed = stops ? Math.sqrt(2 * (target - s)) : 12;
      speed = Math.max(1, Math.min(speed + 1, 12, allowed));
      s = Math.min(target, s + speed);
      second();
    }
  };
  const stand = (seconds: number): readonly [number, number] => {
    const fromMs = ms;
    speed = 0;
    for (let n = 0; n < seconds; n += 1) second();
    return [fromMs, ms];
  };
  for (let lap = 0; lap < options.laps; lap += 1) {
    s = 0;
    const stays: (readonly [number, number] | null)[] = [];
    const passings: (number | null)[] = [];
    for (const [index, { at }] of path.stops.entries()) {
      const isTerminal = index === 0 || at === path.turnAt;
      const passes = !isTerminal && random() < (options.skip ?? 0);
      driveTo(at, !passes);
      // The last point is the one at the stop.
      passings.push(passes ? ms - 1000 : null);
      if (passes) stays.push(null);
      else
        stays.push(stand(isTerminal ? (options.layoverS ?? 240) : 22 + Math.floor(random() * 20)));
    }
    laps.push({ startMs: stays[0]?.[1] ?? ms, stays, passings });
    driveTo(path.lengthM, true);
  }
  stand(options.layoverS ?? 240);
  return { points, laps };
}

/** The path of a route that has one. */
export function pathOf(route: Route): RoutePath {
  const path = buildPath(route);
  if (path === null) throw new Error('a route without a path');
  return path;
}

/** Points as columns for the engine. */
export function positionsOf(points: readonly Point[]): Positions {
  const column = (n: 0 | 1 | 2 | 3): Float64Array => Float64Array.from(points, (point) => point[n]);
  return { timeMs: column(0), latitude: column(1), longitude: column(2), speedKmh: column(3) };
}

/** The place at a distance along a path, metres on its plane. */
export function whereOn(path: RoutePath, metres: number): readonly [number, number] {
  let n = 0;
  while (n < path.at.length - 2 && f64(path.at, n + 1) < metres) n += 1;
  const length = f64(path.at, n + 1) - f64(path.at, n);
  const part = length > 0 ? (metres - f64(path.at, n)) / length : 0;
  return [
    f64(path.x, n) + part * (f64(path.x, n + 1) - f64(path.x, n)),
    f64(path.y, n) + part * (f64(path.y, n + 1) - f64(path.y, n)),
  ];
}

/** A seeded generator of numbers from 0 to 1 (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** GPS errors persist for seconds: first-order autoregressive noise, metres east and north. */
export function noiseOf(random: () => number, sigmaM: number): () => readonly [number, number] {
  let x = 0;
  let y = 0;
  const normal = (): number =>
    Math.sqrt(-2 * Math.log(random() + 1e-12)) * Math.cos(2 * Math.PI * random());
  return () => {
    x = 0.9 * x + 0.436 * sigmaM * normal();
    y = 0.9 * y + 0.436 * sigmaM * normal();
    return [x, y];
  };
}
