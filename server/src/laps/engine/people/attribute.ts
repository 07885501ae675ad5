// Attributes passenger events to stops: to the stop whose dwell contains the event (with 15 s of slack on each side),
// else to the lap's nearest stop within 60 m of the bus at that moment, else to the halt nearest in time within 5
// minutes, else to the lap without a stop. At a terminal between two laps, passengers who get off belong to the lap
// that ends, and those who get on to the lap that begins, also before its departure. No event is dropped.

import type { Lap } from '../engine.ts';
import { type Place, planeAt } from '../geometry/plane.ts';
import { firstAtLeast } from '../track/ascending.ts';
import type { Visit } from '../visits.ts';

/** A change of the number on board: an event of the counter, or the difference of a manual count, possibly negative. */
export interface Boarding {
  readonly timeMs: number;
  readonly direction: 'entered' | 'exited';
  readonly count: number;
}

/** Where an event belongs. */
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
const NEAR_HALT_MS = 300_000;

/**
 * Attributes each event to a lap and a stop.
 * @param laps in order of time
 * @param halts likewise, without overlaps
 * @param placeAt place of the bus at a moment; null if unknown
 */
export function attributeEvents(
  laps: readonly Lap[],
  halts: readonly HaltSpan[],
  events: readonly Boarding[],
  placeAt: (timeMs: number) => Place | null,
): Attribution[] {
  const ends = Float64Array.from(halts, ({ endMs }) => endMs);
  return events.map((event) => {
    const lap = lapOf(laps, event);
    const visits = laps[lap]?.visits ?? [];
    const visit = visitOf(visits, event, placeAt);
    return { lap, visit, halt: visit === null ? haltOf(halts, ends, event.timeMs) : null };
  });
}

function lapOf(laps: readonly Lap[], { timeMs, direction }: Boarding): number {
  // At a terminal both laps cover the stay: passengers board the next lap from the arrival on, and alight from the last
  // lap until the departure.
  const meeting = laps.findIndex(
    (lap, n) =>
      lap.arrivedAfterMs !== null &&
      timeMs >= lap.arrivedAfterMs - SLACK_MS &&
      timeMs <= lap.endMs + SLACK_MS &&
      (laps[n + 1]?.arrivedBeforeMs ?? null) !== null,
  );
  if (meeting >= 0) return direction === 'exited' ? meeting : meeting + 1;
  let nearest = -1;
  let nearestMs = Number.POSITIVE_INFINITY;
  for (const [n, lap] of laps.entries()) {
    const startMs = Math.min(lap.startMs, lap.arrivedBeforeMs ?? lap.startMs);
    const awayMs = Math.max(startMs - timeMs, timeMs - lap.endMs, 0);
    if (awayMs < nearestMs || (awayMs === nearestMs && direction === 'entered')) {
      nearest = n;
      nearestMs = awayMs;
    }
  }
  return nearest;
}

function visitOf(
  visits: readonly Visit[],
  { timeMs, direction }: Boarding,
  placeAt: (timeMs: number) => Place | null,
): number | null {
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
  if (dwelling !== null) return dwelling;
  const place = placeAt(timeMs);
  if (place === null) return null;
  const plane = planeAt(place);
  return best(
    visits,
    ({ stop, arrivalMs }) => {
      // In a street that is driven in both directions, a stop visited at another time counts as farther away.
      const metres = Math.hypot(plane.xOf(stop.longitude), plane.yOf(stop.latitude));
      if (metres > NEAR_STOP_M) return null;
      return metres + (isAround(visits, arrivalMs, timeMs) ? 0 : NEAR_STOP_M);
    },
    direction,
  );
}

// A visit at another time is another pass through the same street.
function isAround(visits: readonly Visit[], arrivalMs: number | null, timeMs: number): boolean {
  return visits.length > 0 && (arrivalMs === null || Math.abs(arrivalMs - timeMs) <= NEAR_HALT_MS);
}

// Of equal visits, as of the last stop of a leg and the first of the next at one halt, the earlier one gets the
// alighting passengers and the later one the boarding ones.
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
