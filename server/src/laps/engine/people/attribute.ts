// Attributes passenger events to stops: to the stop whose dwell contains the event (with 15 s of slack on each side),
// else to the lap's nearest stop within 60 m of the bus at that moment, else (up to 30 minutes before the first fix or
// after the last) to its stop within 50 m of that fix, else to the halt nearest in time within 5 minutes, else to the lap
// without a stop. At a terminal between two laps, passengers who get off belong to the lap
// that ends, and those who get on to the lap that begins, also before its departure. No event is dropped.

import { boardingFromMs, type Lap } from '../engine.ts';
import type { Fix } from '../geometry/place-at.ts';
import { type Place, planeAt } from '../geometry/plane.ts';
import { firstAtLeast } from '../track/ascending.ts';
import type { Visit } from '../visit.ts';

/** A change of the number on board: an event of the counter, or the difference of a manual count, possibly negative. */
export interface Boarding {
  readonly timeMs: number;
  readonly direction: 'entered' | 'exited';
  readonly count: number;
}

/** The stop or halt of an event. */
export interface Attribution {
  /** Index of the lap; -1 if there are no laps. */
  readonly lap: number;
  /** Index of the visit in the lap; null for none. */
  readonly visit: number | null;
  /** Index of the halt if there is no visit; null for none. */
  readonly halt: number | null;
}

interface HaltSpan {
  readonly startMs: number;
  readonly endMs: number;
}

/**
 * Slack around a dwell, ms: by the clocks of unit and counter doors open before the bus stands, and close after it
 * leaves.
 */
export const SLACK_MS = 15_000;
const NEAR_STOP_M = 60;
/** A unit counts before its receiver has a fix, and after it has lost it, ms; metres from the fix to the stop. */
export const NEAR_EDGE_MS = 30 * 60_000;
const EDGE_STOP_M = 50;
const NEAR_HALT_MS = 300_000;

/**
 * Attributes each event to a lap and a stop.
 * @param laps in order of time
 * @param halts likewise, without overlaps
 * @param placeAt place of the bus at a moment; null if unknown
 * @param edgeAt first or last fix of a track near a moment outside of it; null for none
 */
export function attributeEvents(
  laps: readonly Lap[],
  halts: readonly HaltSpan[],
  events: readonly Boarding[],
  placeAt: (timeMs: number) => Place | null,
  edgeAt: (timeMs: number) => Fix | null = () => null,
): Attribution[] {
  const ends = Float64Array.from(halts, ({ endMs }) => endMs);
  return events.map((event) => {
    const lap = lapOf(laps, event);
    const visit = visitOf(laps[lap], event, placeAt) ?? edgeVisitOf(laps[lap], event, edgeAt);
    if (visit === null) return { lap, visit, halt: haltOf(halts, ends, event.timeMs) };
    return { ...asAtTerminal(laps, lap, visit, event.direction), halt: null };
  });
}

// At a terminal the time of a stop is less certain than what people do there: they get off where a leg ends, and on
// where one begins.
function asAtTerminal(
  laps: readonly Lap[],
  lap: number,
  visit: number,
  direction: Boarding['direction'],
): { lap: number; visit: number } {
  const turn = laps[lap]?.turn;
  const last = (laps[lap]?.visits.length ?? 0) - 1;
  if (direction === 'entered') {
    if (visit === turn?.arrives) return { lap, visit: turn.departs };
    if (visit === last && meets(laps, lap)) return { lap: lap + 1, visit: 0 };
  } else {
    if (visit === turn?.departs) return { lap, visit: turn.arrives };
    const before = laps[lap - 1];
    if (visit === 0 && before !== undefined && meets(laps, lap - 1)) {
      return { lap: lap - 1, visit: before.visits.length - 1 };
    }
  }
  return { lap, visit };
}

// Whether a lap ends with the departure for the next one. After a longer break it ended with the arrival.
function meets(laps: readonly Lap[], lap: number): boolean {
  const [one, next] = [laps[lap], laps[lap + 1]];
  return (
    one !== undefined &&
    next !== undefined &&
    one.arrivedAfterMs !== null &&
    next.arrivedBeforeMs !== null &&
    one.endMs === next.startMs &&
    one.visits.length > 0 &&
    next.visits.length > 0
  );
}

function lapOf(laps: readonly Lap[], { timeMs, direction }: Boarding): number {
  // At a terminal both laps cover the stay: passengers board the next lap from the arrival on, and alight from the last
  // lap until the departure.
  const meeting = laps.findIndex(
    (lap, n) =>
      lap.arrivedAfterMs !== null &&
      timeMs >= lap.arrivedAfterMs - SLACK_MS &&
      timeMs <= lap.endMs + SLACK_MS &&
      meets(laps, n),
  );
  if (meeting >= 0) return direction === 'exited' ? meeting : meeting + 1;
  let nearest = -1;
  let nearestMs = Number.POSITIVE_INFINITY;
  for (const [n, lap] of laps.entries()) {
    const startMs = boardingFromMs(lap);
    const awayMs = Math.max(startMs - timeMs, timeMs - lap.endMs, 0);
    if (awayMs < nearestMs || (awayMs === nearestMs && direction === 'entered')) {
      nearest = n;
      nearestMs = awayMs;
    }
  }
  return nearest;
}

function visitOf(
  lap: Lap | undefined,
  event: Boarding,
  placeAt: (timeMs: number) => Place | null,
): number | null {
  const visits = lap?.visits ?? [];
  const { timeMs, direction } = event;
  const dwelling = best(
    visits,
    (visit) => {
      if (visit.arrivalMs === null && visit.departureMs === null) return null;
      const fromMs = visit.arrivalMs ?? visit.departureMs ?? 0;
      const toMs = visit.departureMs ?? fromMs;
      const awayMs = Math.max(fromMs - timeMs, timeMs - toMs, 0);
      return awayMs <= SLACK_MS ? awayMs : null;
    },
    direction,
  );
  const known = dwelling ?? (lap === undefined ? null : layoverVisit(lap, event));
  if (known !== null) return known;
  const place = placeAt(timeMs);
  if (place === null) return null;
  const plane = planeAt(place);
  return best(
    visits,
    ({ stop, arrivalMs, departureMs }) => {
      // In a street that is driven in both directions, a stop visited at another time counts as farther away.
      const metres = Math.hypot(plane.xOf(stop.longitude), plane.yOf(stop.latitude));
      if (metres > NEAR_STOP_M) return null;
      return metres + (isAround(arrivalMs, departureMs, timeMs) ? 0 : NEAR_STOP_M);
    },
    direction,
  );
}

// The visit where the bus stood before its receiver had a fix, or after it lost it: of two at one place that nearer in
// time to the fix.
function edgeVisitOf(
  lap: Lap | undefined,
  { timeMs, direction }: Boarding,
  edgeAt: (timeMs: number) => Fix | null,
): number | null {
  const fix = lap === undefined ? null : edgeAt(timeMs);
  if (lap === undefined || fix === null) return null;
  const plane = planeAt(fix);
  return best(
    lap.visits,
    ({ stop, arrivalMs, departureMs }) => {
      const metres = Math.hypot(plane.xOf(stop.longitude), plane.yOf(stop.latitude));
      if (metres > EDGE_STOP_M) return null;
      const fromMs = arrivalMs ?? departureMs ?? Number.POSITIVE_INFINITY;
      return Math.max(fromMs - fix.timeMs, fix.timeMs - (departureMs ?? fromMs), 0);
    },
    direction,
  );
}

// The visit of people who get off or on during a layover, wherever the bus stands then; null outside of layovers.
function layoverVisit(lap: Lap, { timeMs, direction }: Boarding): number | null {
  const { visits, turn, arrivedBeforeMs, arrivedAfterMs } = lap;
  if (visits.length === 0) return null;
  if (arrivedAfterMs !== null && timeMs > arrivedAfterMs && timeMs <= lap.endMs) {
    return direction === 'exited' ? visits.length - 1 : null;
  }
  if (arrivedBeforeMs !== null && timeMs >= arrivedBeforeMs && timeMs < lap.startMs) {
    return direction === 'entered' ? 0 : null;
  }
  const fromMs = visits[turn?.arrives ?? -1]?.arrivalMs ?? Number.POSITIVE_INFINITY;
  const toMs = visits[turn?.departs ?? -1]?.departureMs ?? Number.NEGATIVE_INFINITY;
  if (turn === null || timeMs < fromMs || timeMs > toMs) return null;
  return direction === 'exited' ? turn.arrives : turn.departs;
}

// A visit at another time is another pass through the same street.
function isAround(arrivalMs: number | null, departureMs: number | null, timeMs: number): boolean {
  if (arrivalMs === null) return true;
  return Math.max(arrivalMs - timeMs, timeMs - (departureMs ?? arrivalMs)) <= NEAR_HALT_MS;
}

// The earlier of equal visits, as of the last stop of a leg and the first of the next at one halt, gets the alighting
// passengers, and the later one the boarding ones.
function best(
  visits: readonly Visit[],
  costOf: (visit: Visit) => number | null,
  direction: 'entered' | 'exited',
): number | null {
  let found: number | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (const [n, visit] of visits.entries()) {
    const cost = costOf(visit);
    if (cost === null) continue;
    if (cost < least || (cost === least && direction === 'entered')) {
      found = n;
      least = cost;
    }
  }
  return found;
}

// Halts do not overlap, so only two can be the nearest.
function haltOf(halts: readonly HaltSpan[], ends: Float64Array, timeMs: number): number | null {
  const after = firstAtLeast(ends, timeMs);
  let found: number | null = null;
  let least = NEAR_HALT_MS;
  for (const n of [after - 1, after]) {
    const halt = halts[n];
    if (halt === undefined) continue;
    const awayMs = Math.max(halt.startMs - timeMs, timeMs - halt.endMs, 0);
    if (awayMs <= least && (found === null || awayMs < least)) {
      found = n;
      least = awayMs;
    }
  }
  return found;
}
