import type { Point } from '@ridewatch/contract/primitives';

const METRES_PER_DEGREE = 111_195;

/** A place that attracts people to a stop; it decides when they come and where they go. */
export type Attraction = 'metro' | 'school' | 'shops' | 'health' | 'homes';

export interface LineStop extends Point {
  name: string;
  direction: 'FORWARD' | 'REVERSE';
  /** Metres from the first terminal along the loop. */
  atM: number;
  attraction: Attraction;
}

/** A route of two directions as one closed loop from its first terminal. */
export interface Line {
  name: string;
  track: readonly Point[];
  /** Metres along the track to each of its points. */
  distancesM: readonly number[];
  lengthM: number;
  /** In order of travel, forward stops first. */
  stops: readonly LineStop[];
  /** Index of the first reverse stop. */
  firstReverse: number;
}

/** A route as a table: points of the track, and stops by index into it. */
export interface RouteTable {
  name: string;
  firstReverse: number;
  stops: readonly (readonly [pointIndex: number, name: string])[];
  track: readonly (readonly [latitude: number, longitude: number])[];
}

/** Makes a line from a route table. */
export function lineOf(table: RouteTable): Line {
  const track = table.track.map(([latitude, longitude]) => ({ latitude, longitude }));
  const distancesM = [0];
  for (let index = 1; index < track.length; index++) {
    const [from, to] = [pointOf(track, index - 1), pointOf(track, index)];
    distancesM.push((distancesM[index - 1] ?? 0) + metresBetween(from, to));
  }
  const stops = table.stops.map(
    ([pointIndex, name], index): LineStop => ({
      name,
      ...pointOf(track, pointIndex),
      direction: index < table.firstReverse ? 'FORWARD' : 'REVERSE',
      atM: distancesM[pointIndex] ?? 0,
      attraction: attractionOf(name),
    }),
  );
  const lengthM = distancesM.at(-1) ?? 0;
  return { name: table.name, track, distancesM, lengthM, stops, firstReverse: table.firstReverse };
}

/** A short working of a route: between two of its stops and back, as a loop of its own. */
export function shortWorking(
  name: string,
  table: RouteTable,
  cut: { from: number; turn: number; to: number },
): RouteTable {
  const first = table.stops[cut.from]?.[0] ?? 0;
  const last = table.stops[cut.to]?.[0] ?? 0;
  const track = table.track.slice(first, last + 1);
  return {
    name,
    firstReverse: cut.turn - cut.from,
    stops: table.stops
      .slice(cut.from, cut.to + 1)
      .map(([pointIndex, stopName]) => [pointIndex - first, stopName] as const),
    track: [...track, ...track.slice(0, 1)],
  };
}

/** The place `atM` metres along the loop, and the course there, degrees clockwise from north. */
export function placeAt(line: Line, atM: number): Point & { course: number } {
  const wanted = Math.min(Math.max(atM, 0), line.lengthM);
  let low = 0;
  let high = line.distancesM.length - 2;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((line.distancesM[middle] ?? 0) <= wanted) low = middle;
    else high = middle - 1;
  }
  const [from, to] = [pointOf(line.track, low), pointOf(line.track, low + 1)];
  const startM = line.distancesM[low] ?? 0;
  const lengthM = (line.distancesM[low + 1] ?? startM) - startM;
  const share = lengthM === 0 ? 0 : (wanted - startM) / lengthM;
  return {
    latitude: from.latitude + (to.latitude - from.latitude) * share,
    longitude: from.longitude + (to.longitude - from.longitude) * share,
    course: courseOf(from, to),
  };
}

/** A point moved north and east by metres. */
export function moved(point: Point, northM: number, eastM: number): Point {
  return {
    latitude: point.latitude + northM / METRES_PER_DEGREE,
    longitude: point.longitude + eastM / (METRES_PER_DEGREE * cosineOf(point)),
  };
}

function metresBetween(a: Point, b: Point): number {
  return Math.hypot(
    (b.latitude - a.latitude) * METRES_PER_DEGREE,
    (b.longitude - a.longitude) * METRES_PER_DEGREE * cosineOf(a),
  );
}

function courseOf(a: Point, b: Point): number {
  const east = (b.longitude - a.longitude) * cosineOf(a);
  const degrees = (Math.atan2(east, b.latitude - a.latitude) * 180) / Math.PI;
  return (degrees + 360) % 360;
}

function cosineOf(point: Point): number {
  return Math.cos((point.latitude * Math.PI) / 180);
}

function pointOf(track: readonly Point[], index: number): Point {
  const point = track[index];
  if (point === undefined) throw new Error(`The track has no point ${index}.`);
  return point;
}

function attractionOf(name: string): Attraction {
  if (name.startsWith('Метро')) return 'metro';
  if (/Школа|Библиотека/.test(name)) return 'school';
  if (/Универсам|рынок|Кинотеатр/.test(name)) return 'shops';
  if (/больница|Диспансер/.test(name)) return 'health';
  return 'homes';
}
