import type { Halt, Lap, LapStop } from '@ridewatch/contract/laps';
import type { RouteStop } from '@ridewatch/contract/routes';
import type { MapPlace } from '../../map/map-parts.ts';

/** A place on the list and the map: a stop of the lap or route, or a pause. */
export interface Place extends MapPlace {
  /** Its id in the address. */
  readonly key: string;
  readonly kind: 'stop' | 'terminal' | 'missed' | 'pause';
  /** Empty if nobody has named it. */
  readonly name: string;
  readonly direction: LapStop['direction'];
  readonly arrivalMs: number | null;
  readonly departureMs: number | null;
  /** When the bus drove past without stopping. */
  readonly passedMs: number | null;
  readonly entered: number;
  readonly exited: number;
  /** Load after it; null if unknown. */
  readonly passengers: number | null;
  /** The stop with its details; null for a pause. */
  readonly stop: LapStop | null;
  readonly classifierId: number | null;
}

/** The places of a lap: stops in order, and pauses between them by time. */
export function placesOfLap(lap: Pick<Lap, 'busStopDtoList' | 'halts'>): Place[] {
  const stops = lap.busStopDtoList;
  const places = stops.map((stop, at): Place => {
    const isTerminal =
      stop.id !== null &&
      (at === 0 || at === stops.length - 1 || stops[at + 1]?.direction !== stop.direction);
    const reached = stop.arrival !== null || stop.departure !== null;
    const kind = isTerminal ? 'terminal' : 'stop';
    return {
      key: String(stop.position),
      kind: reached ? kind : 'missed',
      name: stop.name,
      latitude: stop.latitude,
      longitude: stop.longitude,
      direction: stop.direction,
      arrivalMs: momentOf(stop.arrival),
      departureMs: momentOf(stop.departure),
      passedMs: momentOf(stop.passed_at),
      entered: stop.entered,
      exited: stop.exited,
      passengers: reached ? stop.passengers : null,
      stop,
      classifierId: stop.classifier_id,
    };
  });
  const pauses = lap.halts.filter(({ position }) => position === null).map(pauseOf);
  return merged(places, pauses);
}

/** The places of a route: forward stops first. */
export function placesOfRoute(stops: readonly RouteStop[]): Place[] {
  return stops.map((stop) => ({
    key: String(stop.id),
    kind: stop.terminal === null ? 'stop' : 'terminal',
    name: stop.name,
    latitude: stop.latitude,
    longitude: stop.longitude,
    direction: stop.routeDirection,
    arrivalMs: null,
    departureMs: null,
    passedMs: null,
    entered: 0,
    exited: 0,
    passengers: null,
    stop: null,
    classifierId: stop.classifier_id,
  }));
}

/** The name of a place; a stop without one has its number in the lap. */
export function placeName(place: Place, words: { pause: string; stop: string }): string {
  if (place.name) return place.name;
  if (place.kind === 'pause') return words.pause;
  return place.stop ? `${words.stop} ${place.stop.position + 1}` : words.stop;
}

/** The place after (1) or before (-1) one; the first or the last if none is selected; undefined past an end. */
export function placeBeside(
  places: readonly Place[],
  key: string | undefined,
  step: 1 | -1,
): Place | undefined {
  const at = places.findIndex((place) => place.key === key);
  if (at < 0) return step === 1 ? places[0] : places.at(-1);
  return places[at + step];
}

function pauseOf(halt: Halt): Place {
  const startMs = Date.parse(halt.start);
  return {
    key: `p${startMs}`,
    kind: 'pause',
    name: '',
    latitude: halt.latitude,
    longitude: halt.longitude,
    direction: null,
    arrivalMs: startMs,
    departureMs: Date.parse(halt.end),
    passedMs: null,
    entered: halt.entered,
    exited: halt.exited,
    passengers: null,
    stop: null,
    classifierId: null,
  };
}

// A pause goes before the first stop that the bus reached or passed after it; stops keep the order of the route.
function merged(stops: readonly Place[], pauses: readonly Place[]): Place[] {
  const waiting = [...pauses].sort((a, b) => (a.arrivalMs ?? 0) - (b.arrivalMs ?? 0));
  const all: Place[] = [];
  for (const stop of stops) {
    const thereMs = stop.arrivalMs ?? stop.passedMs;
    while (thereMs !== null && waiting[0] && (waiting[0].arrivalMs ?? 0) < thereMs) {
      const [pause] = waiting.splice(0, 1);
      if (pause) all.push({ ...pause, direction: stop.direction });
    }
    all.push(stop);
  }
  return [...all, ...waiting];
}

function momentOf(moment: string | null): number | null {
  return moment === null ? null : Date.parse(moment);
}
