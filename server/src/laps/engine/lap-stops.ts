// The stops of a lap with their passengers: its visits in the order of the route, and between them the halts away from
// any stop where passengers got on or off.

import { num } from '@ridewatch/contract/columns';
import type { DayRoute } from './day-route.ts';
import type { Lap, PlacedHalt } from './engine.ts';
import type { Attribution, Boarding } from './people/attribute.ts';
import { loadsOf } from './people/loads.ts';
import type { Direction } from './route-path.ts';
import type { Visit } from './visit.ts';

export interface LapStopOut extends Omit<Visit, 'stop'> {
  readonly stopId: number | null;
  readonly classifierId: number | null;
  readonly name: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly direction: Direction | null;
  readonly entered: number;
  readonly exited: number;
  readonly rawLoad: number;
  readonly load: number;
}

interface Call {
  /** Index of the visit that it follows; its own index if it is a visit. */
  readonly after: number;
  /** 0 for a visit, else its time, ms since 1970 UTC. */
  readonly timeMs: number;
  readonly visit: Visit | null;
  readonly halt: number | null;
  entered: number;
  exited: number;
}

export interface StopsOfLap {
  readonly stops: readonly LapStopOut[];
  readonly people: {
    readonly entered: number;
    readonly exited: number;
    readonly unplaced: number;
    readonly maxLoad: number;
    readonly drift: number;
    readonly imbalance: number;
  };
  /** Position of each visit among the lap's stops. */
  readonly positionOfVisit: readonly number[];
  /** Position, by halt, of halts that became stops because passengers got on or off there. */
  readonly positionOfHalt: ReadonlyMap<number, number>;
  /** Counts balanced to the side that the revenue keeps, and their stops; null for passengers without a stop. */
  readonly boarded: readonly number[];
  readonly alighted: readonly number[];
  readonly stopIds: readonly (number | null)[];
}

/**
 * Assigns a lap's passengers to its stops.
 * @param mine events of the lap with their attribution
 * @param open passengers are still on board, so loads are not balanced
 */
export function lapStops(
  lap: Lap,
  halts: readonly PlacedHalt[],
  mine: readonly { readonly event: Boarding; readonly to: Attribution }[],
  route: DayRoute | null,
  open: boolean,
): StopsOfLap {
  const calls = callsOf(lap, halts, mine);
  const loads = loadsOf(calls);
  const shown = open ? loads.raw.map((load) => Math.max(0, load)) : loads.balanced;
  const kept = loadsOf(calls, route?.keep ?? 'entered');
  const stops: LapStopOut[] = [];
  const positionOfVisit: number[] = [];
  const positionOfHalt = new Map<number, number>();
  let unplaced = 0;
  for (const [n, call] of calls.entries()) {
    const people = { entered: call.entered, exited: call.exited };
    const load = { rawLoad: num(loads.raw, n), load: num(shown, n) };
    if (call.visit !== null) {
      positionOfVisit.push(stops.length);
      stops.push({ ...visited(call.visit, route, open), ...people, ...load });
    } else if (call.halt !== null) {
      positionOfHalt.set(call.halt, stops.length);
      stops.push({ ...halted(halts[call.halt] as PlacedHalt), ...people, ...load });
    } else unplaced += call.entered + call.exited;
  }
  return {
    stops,
    people: {
      entered: peopleAtCalls(calls, 'entered'),
      exited: peopleAtCalls(calls, 'exited'),
      unplaced,
      maxLoad: shown.reduce((most, load) => Math.max(most, load), 0),
      drift: open ? 0 : loads.drift,
      imbalance: open ? 0 : loads.imbalance,
    },
    positionOfVisit,
    positionOfHalt,
    boarded: kept.boarded,
    alighted: kept.alighted,
    stopIds: calls.map(({ visit }) => visit?.stop.id ?? null),
  };
}

function callsOf(
  lap: Lap,
  halts: readonly PlacedHalt[],
  mine: readonly { readonly event: Boarding; readonly to: Attribution }[],
): Call[] {
  const ofVisits = lap.visits.map(
    (visit, after): Call => ({ after, timeMs: 0, visit, halt: null, entered: 0, exited: 0 }),
  );
  const ofHalts = new Map<number, Call>();
  const others: Call[] = [];
  for (const { event, to } of mine) {
    let call = to.visit === null ? undefined : ofVisits[to.visit];
    if (call === undefined && to.halt !== null) {
      call = ofHalts.get(to.halt);
      if (call === undefined) {
        call = callAt(lap, halts[to.halt]?.startMs ?? event.timeMs, to.halt);
        ofHalts.set(to.halt, call);
      }
    }
    if (call === undefined) {
      call = callAt(lap, event.timeMs, null);
      others.push(call);
    }
    call[event.direction] += event.count;
  }
  return [...ofVisits, ...ofHalts.values(), ...others].sort(
    (a, b) =>
      a.after - b.after || a.timeMs - b.timeMs || Number(b.halt !== null) - Number(a.halt !== null),
  );
}

// Everybody gets off by the last stop of a lap, so no call follows it.
function callAt({ visits }: Lap, timeMs: number, halt: number | null): Call {
  const passed = visits.findLastIndex(({ arrivalMs }) => arrivalMs !== null && arrivalMs <= timeMs);
  const after = visits.length < 2 ? passed : Math.max(0, Math.min(passed, visits.length - 2));
  return { after, timeMs, visit: null, halt, entered: 0, exited: 0 };
}

function visited(
  { stop, arrivalMs, departureMs, passedMs, distanceM, evidence, skipped, confidence }: Visit,
  route: DayRoute | null,
  open: boolean,
) {
  const place = route?.places.get(stop.id);
  return {
    stopId: stop.id,
    classifierId: place?.classifierId ?? null,
    name: place?.name ?? '',
    latitude: stop.latitude,
    longitude: stop.longitude,
    direction: stop.direction,
    arrivalMs,
    departureMs,
    passedMs,
    distanceM,
    evidence,
    // An ended lap has no stops ahead.
    skipped: skipped === 'ahead' && !open ? ('not_driven' as const) : skipped,
    confidence,
  };
}

function halted({ startMs, endMs, latitude, longitude }: PlacedHalt) {
  return {
    stopId: null,
    classifierId: null,
    name: '',
    latitude,
    longitude,
    direction: null,
    arrivalMs: startMs,
    departureMs: endMs,
    passedMs: null,
    distanceM: 0,
    evidence: 'halt' as const,
    skipped: null,
    confidence: 1,
  };
}

function peopleAtCalls(calls: readonly Call[], side: 'entered' | 'exited'): number {
  return calls.reduce((sum, call) => sum + call[side], 0);
}
