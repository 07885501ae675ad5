import type { Language } from '../../core/http/language.ts';
import { distanceM, type Place } from '../../laps/engine/geometry/plane.ts';
import type { StopPlace } from '../places.ts';
import type { StopOnDay, WantedStop } from '../stops.ts';
import { unnamedStop } from '../unnamed-stop.ts';

/** A place at which a stop could be. */
export interface Found extends Place {
  readonly routeDirection: WantedStop['routeDirection'];
  /** Its own name, if any. */
  readonly name?: string | null;
}

/** A place this near to a stop of the route is that stop. */
const SAME_STOP_M = 60;
/** A stop of this name may have been moved along its street. */
const SAME_NAME_M = 300;
/** A place this near to a known one takes its name. */
const NAMED_AFTER_M = 150;

/**
 * Stops from places. Those of the route keep ids, names and prices; the others are named by the file, after the nearest
 * known place, or 'Stop N' in the user's language. The ends of the legs become terminals unless the route has some.
 * @param current the stops of the route
 * @param places those of the customer
 */
export function proposeStops(
  found: readonly Found[],
  current: readonly StopOnDay[],
  places: readonly StopPlace[],
  language: Language,
): WantedStop[] {
  const free = new Set(current);
  const used = new Set<string>();
  const wanted = found.map((one, index): WantedStop => {
    const { latitude, longitude, routeDirection } = one;
    const known = nearest(one, free, isNamesake(one)) ?? nearest(one, free, isThere(one));
    if (known !== undefined) {
      free.delete(known);
      const name = one.name ?? known.name;
      const stays = name === known.name && distanceM(one, known) <= SAME_STOP_M;
      const place = stays ? { classifierId: known.classifierId } : {};
      const { id, terminal } = known;
      return { id, name, latitude, longitude, routeDirection, terminal, ...place };
    }
    const place =
      one.name === undefined || one.name === null
        ? nearest(one, places, (place) => {
            const isFree = !used.has(`${routeDirection}:${place.id}`);
            return isFree && distanceM(one, place) <= NAMED_AFTER_M;
          })
        : undefined;
    if (place !== undefined) used.add(`${routeDirection}:${place.id}`);
    return {
      name: one.name ?? place?.name ?? unnamedStop(index + 1, language),
      latitude,
      longitude,
      routeDirection,
      terminal: null,
      ...(place === undefined ? {} : { classifierId: place.id }),
    };
  });
  return withTerminals(wanted);
}

const isNamesake = (one: Found) => (stop: StopOnDay) =>
  stop.routeDirection === one.routeDirection &&
  stop.name === one.name &&
  distanceM(one, stop) <= SAME_NAME_M;

const isThere = (one: Found) => (stop: StopOnDay) =>
  stop.routeDirection === one.routeDirection && distanceM(one, stop) <= SAME_STOP_M;

function nearest<T extends Place>(
  to: Place,
  among: Iterable<T>,
  matches: (one: T) => boolean,
): T | undefined {
  let best: T | undefined;
  let bestM = Number.POSITIVE_INFINITY;
  for (const one of among) {
    const metres = distanceM(to, one);
    if (metres < bestM && matches(one)) [best, bestM] = [one, metres];
  }
  return best;
}

function withTerminals(stops: readonly WantedStop[]): WantedStop[] {
  if (stops.some(({ terminal }) => terminal === 'first')) return [...stops];
  const forward = stops.filter(({ routeDirection }) => routeDirection === 'FORWARD');
  const [first, last] = [forward[0], forward.at(-1)];
  // A circular route ends where it begins.
  const isCircle = forward.length === stops.length && isNear(first, last);
  return stops.map((stop) => {
    if (stop === first) return { ...stop, terminal: 'first' as const };
    if (stop === last && !isCircle) return { ...stop, terminal: 'last' as const };
    return { ...stop, terminal: null };
  });
}

/** Ends this near to each other are one terminal. */
const SAME_TERMINAL_M = 400;

function isNear(a: Place | undefined, b: Place | undefined): boolean {
  return a !== undefined && b !== undefined && distanceM(a, b) <= SAME_TERMINAL_M;
}
