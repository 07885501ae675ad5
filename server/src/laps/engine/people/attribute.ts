// Which stop a passenger event belongs to: the stop whose dwell contains it (15 s of slack each side), else the lap's
// nearest stop within 60 m of the bus at that moment, else the halt nearest in time within 5 minutes, else the lap
// without a stop. Where two laps meet at a terminal, who gets off belongs to the lap that ends and who gets on to the
// lap that begins, also before its departure. No event is ever dropped.

import type { Lap } from '../engine.ts';
import { type Place, planeAt } from '../geometry/plane.ts';
import { firstAtLeast } from '../track/ascending.ts';
import type { Visit } from '../visits.ts';

/** A change of how many are on board: an event of the counter, or what a count by hand adds to it (may be negative). */
export interface Boarding {
  readonly timeMs: number;
  readonly direction: 'entered' | 'exited';
  readonly count: number;
}

/** Where an event belongs. */
export interface Attribution {
  /** Index of the lap; -1 where there is none at all. */
  readonly lap: number;
  /** Index of the visit in its lap; null for none. */
  readonly visit: number | null;
  /** Index of the halt it belongs to when it has no stop; null for none. */
  readonly halt: number | null;
}

interface HaltSpan {
  readonly startMs: number;
  readonly endMs: number;
}

/** Doors open before the bus stands and close after it leaves, by the clocks of unit and counter. */
export const SLACK_MS = 15_000;
const NEAR_STOP_M = 60;
const NEAR_HALT_MS = 300_000;

/**
 * Gives each event its lap and stop.
 * @param laps in order of time
 * @param halts likewise, none within another
 * @param placeAt where the bus was at a moment; null where it is not known
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
  // At a terminal both laps reach over the stay: from the arrival the next one boards, until the departure the
  // last one alights.
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
      // Of a street that is driven both ways only the stops around that time are meant.
      const metres = Math.hypot(plane.xOf(stop.longitude), plane.yOf(stop.latitude));
      if (metres > NEAR_STOP_M) return null;
      return metres + (isAround(visits, arrivalMs, timeMs) ? 0 : NEAR_STOP_M);
    },
    direction,
  );
}

// A stop with a visit long before or after is another passage of the same street.
function isAround(visits: readonly Visit[], arrivalMs: number | null, timeMs: number): boolean {
  return visits.length > 0 && (arrivalMs === null || Math.abs(arrivalMs - timeMs) <= NEAR_HALT_MS);
}

// Of equals, as where the last stop of a leg and the first of the next share a halt, the earlier one lets people off
// and the later one takes them on.
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

// Halts follow each other, so of those that may be nearest there are two.
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
