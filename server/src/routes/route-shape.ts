// The checks of a route's shape when it comes in. Stored routes are computed whatever their shape.
import { MAX_ROUTE_STOPS } from '@ridewatch/contract/bus-routes';
import { AppError } from '../core/errors.ts';
import type { Language } from '../core/http/language.ts';
import { degreesEast, type Place } from '../laps/engine/geometry/plane.ts';
import { message, translate } from './files/messages.ts';

/**
 * Neighbouring stops farther apart than this are probably swapped or mistyped coordinates, metres; the user may confirm
 * them.
 */
const FAR_M = 200_000;
/** Stops nearer than this are one place, metres. */
const SAME_PLACE_M = 1;
const EARTH_M = 6_371_008.8;

/** How a route comes in. */
export interface Entry {
  /** Of the user who gets the errors. */
  readonly language: Language;
  /** The user has confirmed stops that lie far apart. */
  readonly confirmFar: boolean;
  /** The path to the route in a request with several, followed by a dot. */
  readonly at?: string;
}

interface Stop extends Place {
  readonly name?: string | null;
  readonly routeDirection: 'FORWARD' | 'REVERSE';
}

/** Two consecutive stops. */
type Pair<T> = readonly [from: T, to: T];

/** Neighbouring stops of one direction within a metre of each other. @param stops in order */
export function nearPairs<T extends Stop>(stops: readonly T[]): Pair<T>[] {
  return pairsOf(stops).filter(([from, to]) => earthM(from, to) <= SAME_PLACE_M);
}

/**
 * Neighbouring stops over 200 km apart: of one direction, and where a bus turns from one to the other.
 * @param stops in order
 */
export function farPairs<T extends Stop>(stops: readonly T[]): Pair<T>[] {
  return [...pairsOf(stops), ...turnsOf(stops)].filter(([from, to]) => earthM(from, to) > FAR_M);
}

/**
 * Checks the new shape of a route; unchanged faults are not reported.
 * @param before the present stops of the route
 * @param wanted its new stops, in order
 * @throws AppError conflict, naming the stops, where new neighbours lie far apart without confirmation, and for more
 *   stops than a route may have; invalid_request for a route of length 0
 */
export function checkShape(
  before: readonly Stop[],
  wanted: readonly Stop[],
  track: readonly Place[],
  { language, confirmFar, at }: Entry,
): void {
  if (wanted.length > Math.max(MAX_ROUTE_STOPS, before.length)) {
    const many = message('tooManyStops', wanted.length, MAX_ROUTE_STOPS);
    throw new AppError('conflict', translate(many, language), { field: `${at ?? ''}stops` });
  }
  // A route may be reduced to its last stop.
  const comes = before.length === 0 || !isPartOf(wanted, before);
  if (comes && isOnePlace([...wanted, ...track])) {
    throw new AppError('invalid_request', translate(message('noLength'), language), {
      field: at === undefined ? 'latitude' : `${at}stops`,
    });
  }
  if (confirmFar) return;
  const asked = new Set(
    farPairs(before).map(([from, to]) => `${keyOfStop(from)} ${keyOfStop(to)}`),
  );
  const far = farPairs(wanted).filter(
    ([from, to]) => !asked.has(`${keyOfStop(from)} ${keyOfStop(to)}`),
  );
  const [first] = far;
  if (first === undefined) return;
  throw new AppError('conflict', translate(farMessage(first), language), {
    field: `${at ?? ''}confirm_far`,
  });
}

/** The distance of two stops as a sentence. */
export function farMessage([from, to]: Pair<Stop>) {
  return message('farStops', from.name ?? '', to.name ?? '', Math.round(earthM(from, to) / 1000));
}

function isPartOf(some: readonly Stop[], all: readonly Stop[]): boolean {
  const left = Map.groupBy(all, keyOfStop);
  return some.every((stop) => left.get(keyOfStop(stop))?.pop() !== undefined);
}

/** Whether several places are one: a route of them has no length. */
export function isOnePlace([first, ...others]: readonly Place[]): boolean {
  return (
    first !== undefined &&
    others.length > 0 &&
    others.every((place) => earthM(first, place) <= SAME_PLACE_M)
  );
}

function pairsOf<T extends Stop>(stops: readonly T[]): Pair<T>[] {
  return (['FORWARD', 'REVERSE'] as const).flatMap((direction) => {
    const own = stops.filter(({ routeDirection }) => routeDirection === direction);
    return own.slice(1).map((to, n): Pair<T> => [own[n] as T, to]);
  });
}

// From the last stop forward to the first one back, and from the last one back to the first one forward.
function turnsOf<T extends Stop>(stops: readonly T[]): Pair<T>[] {
  const [forward, reverse] = (['FORWARD', 'REVERSE'] as const).map((direction) =>
    stops.filter(({ routeDirection }) => routeDirection === direction),
  );
  const turn = (from: T | undefined, to: T | undefined): Pair<T>[] =>
    from === undefined || to === undefined ? [] : [[from, to]];
  return [...turn(forward?.at(-1), reverse?.[0]), ...turn(reverse?.at(-1), forward?.[0])];
}

const keyOfStop = ({ latitude, longitude, routeDirection }: Stop): string =>
  `${latitude},${longitude},${routeDirection}`;

// Great-circle distance (haversine).
function earthM(a: Place, b: Place): number {
  const radians = Math.PI / 180;
  const north = Math.sin(((b.latitude - a.latitude) * radians) / 2) ** 2;
  const east = Math.sin((degreesEast(a.longitude, b.longitude) * radians) / 2) ** 2;
  const cosines = Math.cos(a.latitude * radians) * Math.cos(b.latitude * radians);
  return 2 * EARTH_M * Math.asin(Math.min(1, Math.sqrt(north + cosines * east)));
}
