// Computes a bus's local day from its records: the laps that start in it, their stops with passengers and load, and the
// halts. Pure: the result does not depend on the order of the records, nor on how they were split into batches.

import { f64 } from '@ridewatch/contract/columns';
import { roundTo } from '@ridewatch/contract/round';
import { MAX_LAYOVER_MS } from './cut.ts';
import { type HaltOut, haltsOfDay, type NumberedLap } from './day-halts.ts';
import type { DayRoute } from './day-route.ts';
import {
  type Driven,
  type FurtherRoute,
  followBus,
  type Lap,
  type Leg,
  SPLIT_MS,
} from './engine.ts';
import { withLapsOfEventsAlone } from './events-alone.ts';
import { edgeFix, placeAt } from './geometry/place-at.ts';
import { type LapStopOut, lapStops } from './lap-stops.ts';
import { createPatternTracks } from './pattern-track.ts';
import { attributeEvents, type Boarding, NEAR_EDGE_MS } from './people/attribute.ts';
import { type Ride, revenueOf } from './people/revenue.ts';
import type { Positions } from './track/track.ts';

/** The input of a day: its records, and those of some hours before and after it. */
export interface DayInput {
  /** The local day, ms since 1970 UTC; the end is excluded. */
  readonly startMs: number;
  readonly endMs: number;
  readonly nowMs: number;
  readonly positions: Positions;
  readonly route: DayRoute | null;
  /** Effective counts: the counter's events and the differences of manual counts. */
  readonly events: readonly Boarding[];
}

export interface LapOut {
  /** From 1 within the day. */
  readonly number: number;
  /** The pattern that it fits best; none off the route, and on a route with one pattern. */
  readonly pattern?: { readonly id: number; readonly name: string };
  readonly startMs: number;
  readonly endMs: number;
  readonly legs: readonly Leg[];
  readonly open: boolean;
  readonly incomplete: string | null;
  readonly entered: number;
  readonly exited: number;
  readonly unplaced: number;
  readonly maxLoad: number;
  readonly drift: number;
  /** 0 to 1. */
  readonly imbalance: number;
  readonly revenueKopecks: number | null;
  readonly revenueErrorKopecks: number | null;
  readonly noPrice: number;
  /** Rides without a price, the most people first; undefined for none. */
  readonly unpriced?: readonly UnpricedRide[];
  readonly stops: readonly LapStopOut[];
}

/** People who rode between two stops of the route without a price; null for a place that is no stop of it. */
export interface UnpricedRide {
  readonly from: number | null;
  readonly to: number | null;
  /** With two decimals. */
  readonly people: number;
}

export interface DayLaps {
  readonly laps: readonly LapOut[];
  readonly halts: readonly HaltOut[];
  /**
   * When the same records next give another result because time passed, ms since 1970 UTC: the open lap has ended, or
   * the day has begun. Always after `nowMs`; null when time alone changes nothing.
   */
  readonly settlesAtMs: number | null;
}

/** A bus that has stood at the end of its lap for this long has ended it, ms: boarding and traffic jams take less. */
export const ARRIVED_MS = 10 * 60_000;

/** Laps of different patterns may meet this far apart, ms. */
const MEETING_MS = 1000;

/** Computes a day. */
export function lapsOfDay(input: DayInput): DayLaps {
  const { startMs, endMs, route } = input;
  // Records of a clock that is hours fast: their day has laps once it has begun.
  if (input.nowMs < startMs) return { laps: [], halts: [], settlesAtMs: startMs };
  const isInDay = (ms: number): boolean => ms >= startMs && ms < endMs;
  // Without a route the day is one lap.
  const hasRoute = (route?.route.stops.length ?? 0) >= 2;
  const positions = hasRoute ? input.positions : within(input.positions, isInDay);
  const events = hasRoute ? input.events : input.events.filter(({ timeMs }) => isInDay(timeMs));
  const driven = followBus(
    positions,
    hasRoute ? (route?.route ?? null) : null,
    events.map(({ timeMs }) => timeMs),
    // Without positions they are not needed, as the route's path.
    hasRoute && route !== null && positions.timeMs.length > 0 ? furtherRoutes(route) : [],
  );
  const all = withLapsOfEventsAlone(driven.laps, events, hasRoute);
  const given = attributeEvents(
    all,
    driven.halts,
    events,
    (ms) => placeAt(driven.track, ms),
    (ms) => edgeFix(driven.track, ms, SPLIT_MS, NEAR_EDGE_MS),
  );
  const ofLap = Map.groupBy(
    given.map((to, n) => ({ event: events[n] as Boarding, to })),
    ({ to }) => to.lap,
  );
  const endsAtMs = endOfLast(all.at(-1), driven);
  let settlesAtMs: number | null = null;
  const numbered = new Map<number, NumberedLap>();
  const laps: LapOut[] = [];
  for (const [index, lap] of all.entries()) {
    const { startMs: lapStartMs, endMs: shownEndMs } = shownSpan(lap, all[index + 1]);
    if (!isInDay(lapStartMs)) continue;
    const number = laps.length + 1;
    const open = index === all.length - 1 && endsAtMs !== null && input.nowMs < endsAtMs;
    if (open) settlesAtMs = endsAtMs;
    // The lap of a bus that stays at its end ended with the arrival.
    const hasStayed = !open && lap.standsSinceMs !== null;
    const lapEndMs = hasStayed ? (lap.arrivedAfterMs ?? lap.endMs) : shownEndMs;
    const { people, ...rest } = lapStops(lap, driven.halts, ofLap.get(index) ?? [], route, open);
    numbered.set(index, { ...rest, number });
    laps.push({
      number,
      ...patternOf(lap, route),
      startMs: lapStartMs,
      endMs: lapEndMs,
      legs: lap.legs.map((leg) => ({
        ...leg,
        startMs: Math.max(leg.startMs, lapStartMs),
        endMs: Math.min(leg.endMs, lapEndMs),
      })),
      open,
      incomplete: lap.incomplete,
      ...people,
      ...takings(rest.boarded, rest.alighted, rest.stopIds, route),
      stops: rest.stops,
    });
  }
  return {
    laps,
    halts: haltsOfDay({ laps: all, halts: driven.halts }, events, given, numbered, isInDay),
    settlesAtMs,
  };
}

// Two laps meet where the bus leaves its layover; after a break the earlier one ended with its arrival.
function shownSpan(lap: Lap, next: Lap | undefined): { startMs: number; endMs: number } {
  const isMeeting = next !== undefined && Math.abs(next.startMs - lap.endMs) < MEETING_MS;
  if (!isMeeting || next.leavesMs <= lap.endMs) return { startMs: lap.leavesMs, endMs: lap.endMs };
  const arrivedMs = lap.arrivedAfterMs ?? lap.endMs;
  const isBreak = next.leavesMs - arrivedMs > MAX_LAYOVER_MS;
  return { startMs: lap.leavesMs, endMs: isBreak ? arrivedMs : next.leavesMs };
}

function furtherRoutes({ route, patterns = [] }: DayRoute): FurtherRoute[] {
  const further = patterns.slice(1);
  if (further.length === 0) return [];
  const trackOf = createPatternTracks(route);
  return further.map(({ stops, track, runs = null }) => ({
    ...route,
    ...{ stops, runs },
    track: track.length > 0 ? track : (trackOf(stops) ?? route.track),
  }));
}

function patternOf({ visits, pattern }: Lap, route: DayRoute | null): Pick<LapOut, 'pattern'> {
  const own = visits.length === 0 ? undefined : route?.patterns?.[pattern];
  return own === undefined ? {} : { pattern: { id: own.id, name: own.name } };
}

// When the last lap ends unless new records change that; null if it has ended. A bus that arrived and stays has ended
// its lap. One that did not arrive ends it by staying where it is, whether its unit sends or not.
function endOfLast(
  lap: Lap | undefined,
  { track, stillSinceMs }: Pick<Driven, 'track' | 'stillSinceMs'>,
): number | null {
  if (lap === undefined || stillSinceMs === null) return null;
  if (lap.standsSinceMs !== null) return lap.standsSinceMs + ARRIVED_MS;
  const goesOn = lap.incomplete === 'no_arrival' || lap.incomplete === 'no_route';
  return goesOn && lap.endMs >= (track.timeMs.at(-1) ?? 0) ? stillSinceMs + SPLIT_MS : null;
}

function takings(
  boarded: readonly number[],
  alighted: readonly number[],
  stopIds: readonly (number | null)[],
  route: DayRoute | null,
): Pick<LapOut, 'revenueKopecks' | 'revenueErrorKopecks' | 'noPrice' | 'unpriced'> {
  const prices = route?.prices;
  if (prices === null || prices === undefined) {
    return { revenueKopecks: null, revenueErrorKopecks: null, noPrice: 0 };
  }
  const { kopecks, errorKopecks, noPrice, unpriced } = revenueOf(
    boarded,
    alighted,
    (from, to) => prices.get(`${stopIds[from]}:${stopIds[to]}`) ?? null,
    (n) => stopIds[n] ?? null,
  );
  return {
    revenueKopecks: kopecks,
    revenueErrorKopecks: errorKopecks,
    noPrice,
    // Without the key for most laps: the digests of their stored rows stay as they are.
    ...(unpriced && { unpriced: ridesOfStops(unpriced, stopIds) }),
  };
}

/** Most pairs that a lap names; the rest is in the sum only. */
const MOST_UNPRICED = 50;

function ridesOfStops(rides: readonly Ride[], stopIds: readonly (number | null)[]): UnpricedRide[] {
  const sums = new Map<string, { from: number | null; to: number | null; people: number }>();
  for (const ride of rides) {
    const [from, to] = [stopIds[ride.from] ?? null, stopIds[ride.to] ?? null];
    const sum = sums.get(`${from}:${to}`) ?? { from, to, people: 0 };
    sum.people += ride.people;
    sums.set(`${from}:${to}`, sum);
  }
  return [...sums.values()]
    .sort((a, b) => b.people - a.people)
    .slice(0, MOST_UNPRICED)
    .map((ride) => ({ ...ride, people: roundTo(ride.people, 2) }));
}

function within(positions: Positions, isIn: (ms: number) => boolean): Positions {
  const keep = (column: Float64Array): Float64Array =>
    column.filter((_, n) => isIn(f64(positions.timeMs, n)));
  return {
    timeMs: keep(positions.timeMs),
    latitude: keep(positions.latitude),
    longitude: keep(positions.longitude),
    speedKmh: keep(positions.speedKmh),
  };
}
