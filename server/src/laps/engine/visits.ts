// Finds the visits of a lap: its stops in their order, each with the evidence for the visit or the reason for its
// absence.

import { f64, i32, num } from '@ridewatch/contract/columns';
import type { LapSpan } from './cut.ts';
import { HALT_MIN_MS, type Halt } from './halts.ts';
import type { Match } from './match.ts';
import { type Near, nearestTime, nearStop, slowPass } from './near-stop.ts';
import { MARGIN_M, windowAround } from './progress.ts';
import type { PathStop, RoutePath } from './route-path.ts';
import { farTerminal, firstTerminal, isOnePlace } from './terminal-stays.ts';
import { firstAtLeast } from './track/ascending.ts';
import { indexAt, type Track } from './track/track.ts';
import { passed, skipped, type Visit, visit, withPassingsInOrder } from './visit.ts';

/** A halt or a slow pass within this distance of a stop is a visit, metres (the product's definition). */
const VISIT_M = 50;
/** The same at a terminal, where buses stand where there is room. */
const TERMINAL_VISIT_M = 100;
/** Speed between stops: 40 km/h. The bus stood for the rest of the time between two distant fixes. */
const CRUISE_M_PER_S = 40 / 3.6;
/** Least such standing time for each stop in between that shows a visit, ms. */
const GAP_STAND_MS = 8_000;
/** Only a gap of at least this between two fixes can hide a visit, ms. */
const GAP_MS = 15_000;
/** Stops share a halt if the difference of their distances from it is at most this, metres. */
const SHARED_M = 15;
/** Half the length of a stop's window along the path, metres. */
const WINDOW_M = 120;

/**
 * Finds the visits of a lap.
 * @param events times of passenger events, ms since 1970 UTC, ascending: passengers at a door are evidence too
 */
export function listVisits(
  track: Track,
  halts: readonly Halt[],
  path: RoutePath,
  match: Match,
  lap: LapSpan,
  events: readonly number[],
): Visit[] {
  const { round } = lap;
  if (round === null) return [];
  const far = farTerminal(path);
  const farAt = {
    arrives: far === undefined ? -1 : path.stops.indexOf(far.arrives),
    departs: far === undefined ? -1 : path.stops.indexOf(far.departs),
  };
  const near = firstTerminal(path);
  const turn = lap.turn?.isSeen === true ? lap.turn : null;
  const visits: Visit[] = [];
  const [terminal] = path.stops;
  const fromMs = lap.arrivedBeforeMs ?? lap.startMs;
  const ofLap = halts.filter((halt) => halt.endMs >= fromMs && halt.startMs <= lap.endMs);
  // A visit does not begin before that of the previous stop.
  let notBeforeMs = fromMs;
  for (const [index, stop] of path.stops.entries()) {
    const visit = findVisit(index, stop, stop.at);
    visits.push(visit);
    if (visit.departureMs !== null && index > 0) notBeforeMs = visit.arrivalMs ?? notBeforeMs;
  }
  const last = path.stops.at(-1);
  if (terminal !== undefined && last !== undefined && path.closed) {
    // Passengers who get off at the end need a stop there, unless the last stop is the terminal itself.
    const isEnd = near?.arrives === last && isOnePlace(last, terminal);
    if (!isEnd) visits.push(findVisit(path.stops.length, terminal, path.lengthM));
  }
  return withPassingsInOrder(visits);

  function findVisit(index: number, stop: PathStop, at: number): Visit {
    if (index === 0) {
      return atTerminal(stop, lap.before?.fromMs ?? lap.arrivedBeforeMs, lap.startMs);
    }
    const known = atKnownTerminal(index, stop);
    if (known !== null) return known;
    const leg = legOf(index);
    const progress = (round ?? 0) * path.lengthM + at;
    const window = windowAround(match, progress, WINDOW_M);
    // In a street that the bus drives to and fro for its layover, only the observations of the leg count.
    const observations = {
      from: Math.max(window.from, firstAtLeast(match.point, indexAt(track, leg.fromMs)) - 1),
      to: Math.min(window.to, firstAtLeast(match.point, indexAt(track, leg.toMs))),
      isEndOfTrack: window.to >= match.point.length,
    };
    const low = window.from < 0 ? 0 : i32(match.point, window.from);
    const high = window.to >= match.point.length ? track.length - 1 : i32(match.point, window.to);
    const first = Math.max(low, indexAt(track, Math.max(notBeforeMs, leg.fromMs)));
    const last = Math.min(high, indexAt(track, leg.toMs + 1) - 1);
    const reachM =
      path.turnAt !== null && Math.abs(at - path.turnAt) <= MARGIN_M ? TERMINAL_VISIT_M : VISIT_M;
    const seen = nearStop(track, stop, first, last, reachM);
    const stood = ofLap.filter(
      (halt) =>
        halt.last >= first &&
        halt.first <= last &&
        halt.endMs >= notBeforeMs &&
        Math.hypot(halt.x - stop.x, halt.y - stop.y) <= reachM,
    );
    const own = stood.filter((halt) => isOwn(halt, index, stop));
    if (own.length > 0) return standing(stop, own, seen);
    // At the turn one halt may serve two stops: the last of one leg and the first of the other.
    if (stood.length > 0 && reachM === TERMINAL_VISIT_M) return standing(stop, stood, seen);
    if (seen === null) return between(stop, progress, observations);
    const slow = slowPass(track, seen.points);
    if (slow !== null) {
      return visit(stop, slow, seen.metres, 'slow', 0.8 - (0.3 * seen.metres) / reachM);
    }
    const begun = firstAtLeast(events, seen.fromMs);
    const ended = firstAtLeast(events, seen.toMs + 1);
    if (ended > begun) {
      const stay = { fromMs: num(events, begun), toMs: num(events, ended - 1) };
      return visit(stop, stay, seen.metres, 'event', 0.8 - (0.3 * seen.metres) / reachM);
    }
    const inGap = between(stop, progress, observations);
    if (inGap.skipped === null) return inGap;
    return passed(stop, nearestTime(track, stop, first, last), seen.metres, 0.9);
  }

  // The stays at the terminals are known, with the way between two fixes. Null if the bus was elsewhere meanwhile.
  function atKnownTerminal(index: number, stop: PathStop): Visit | null {
    const { after } = lap;
    if (turn !== null && index === farAt.arrives) {
      return stayed(stop, turn.arrivalMs, turn.untilMs);
    }
    if (turn !== null && index === farAt.departs) {
      return stayed(stop, turn.fromMs, turn.departureMs);
    }
    if (after === null) return null;
    const isExtra = index === path.stops.length;
    if (isExtra && near?.arrives !== stop) return stayed(stop, after.fromMs, lap.endMs);
    return near?.arrives === stop ? stayed(stop, after.arrivalMs, after.untilMs) : null;
  }

  function stayed(stop: PathStop, fromMs: number, toMs: number): Visit | null {
    const first = indexAt(track, fromMs);
    const last = indexAt(track, toMs + 1) - 1;
    if (last < first) return visit(stop, { fromMs, toMs }, null, 'gap', 0.4);
    if (nearStop(track, stop, first, last, TERMINAL_VISIT_M) === null) return null;
    return atTerminal(stop, fromMs, toMs);
  }

  // A stop is visited in its leg: what is driven between the legs is layover.
  function legOf(index: number): { fromMs: number; toMs: number } {
    const isSecond = turn !== null && index >= farAt.departs;
    return {
      fromMs: isSecond ? turn.fromMs : lap.startMs,
      toMs: turn === null || isSecond ? (lap.after?.untilMs ?? lap.endMs) : turn.untilMs,
    };
  }

  function isOwn(halt: Halt, index: number, stop: PathStop): boolean {
    const own = Math.hypot(halt.x - stop.x, halt.y - stop.y);
    return [path.stops[index - 1], path.stops[index + 1]].every(
      (other) =>
        other === undefined || own <= Math.hypot(halt.x - other.x, halt.y - other.y) + SHARED_M,
    );
  }

  function standing(stop: PathStop, stood: readonly Halt[], seen: Near | null): Visit {
    const fromMs = Math.max(stood[0]?.startMs ?? 0, notBeforeMs);
    const toMs = Math.min(stood.at(-1)?.endMs ?? 0, lap.endMs);
    const metres = Math.min(
      seen?.metres ?? Number.POSITIVE_INFINITY,
      ...stood.map((halt) => Math.hypot(halt.x - stop.x, halt.y - stop.y)),
    );
    return visit(
      stop,
      { fromMs, toMs: Math.max(fromMs, toMs) },
      metres,
      'halt',
      1 - (0.3 * metres) / VISIT_M,
    );
  }

  // Decides for a gap between two fixes whether driving alone explains its length, and estimates the time at the stop.
  function between(
    stop: PathStop,
    progress: number,
    { from, to, isEndOfTrack }: Observations,
  ): Visit {
    const on = bracket(match, from, to, progress);
    if (on === null && isEndOfTrack) return skipped(stop, 'ahead', null, 0.9);
    if (on === null) return skipped(stop, 'no_fix', null, 0.5);
    const aMs = f64(track.timeMs, i32(match.point, on.a));
    const bMs = f64(track.timeMs, i32(match.point, on.b));
    if (match.jumped[on.b] === 1) return skipped(stop, 'not_driven', null, 0.9);
    const a = f64(match.progress, on.a);
    const b = f64(match.progress, on.b);
    const share = b > a ? (progress - a) / (b - a) : 0.5;
    const thereMs = aMs + share * (bMs - aMs);
    if (bMs - aMs < GAP_MS) return passed(stop, thereMs, null, 0.6);
    const stops = path.stops.filter(({ at }) => {
      const there = (round ?? 0) * path.lengthM + at;
      return there >= a && there <= b;
    }).length;
    const standMs = bMs - aMs - ((b - a) / CRUISE_M_PER_S) * 1000;
    if (standMs < GAP_STAND_MS * Math.max(stops, 1)) return passed(stop, thereMs, null, 0.4);
    const atMs = Math.max(thereMs, notBeforeMs);
    const halfMs = Math.min(standMs / Math.max(stops, 1), HALT_MIN_MS) / 2;
    return visit(stop, { fromMs: atMs - halfMs, toMs: atMs + halfMs }, null, 'gap', 0.4);
  }

  function atTerminal(stop: PathStop, arrivalMs: number | null, departureMs: number): Visit {
    if (lap.incomplete === 'no_departure' && stop === path.stops[0] && arrivalMs === null) {
      return skipped(stop, 'not_driven', null, 0.9);
    }
    const first = indexAt(track, arrivalMs ?? departureMs);
    const last = Math.max(first, indexAt(track, departureMs + 1) - 1);
    const seen = nearStop(track, stop, first, last, Number.POSITIVE_INFINITY);
    return {
      stop: stop.stop,
      arrivalMs,
      departureMs,
      passedMs: null,
      distanceM: seen?.metres ?? null,
      evidence: 'halt',
      skipped: null,
      confidence: seen === null ? 0.5 : Math.max(0.5, 1 - (0.3 * seen.metres) / TERMINAL_VISIT_M),
    };
  }
}

/** The observations among which a stop was passed. */
interface Observations {
  readonly from: number;
  readonly to: number;
  readonly isEndOfTrack: boolean;
}

// The observations on the path directly before and after a place.
function bracket(
  match: Match,
  from: number,
  to: number,
  progress: number,
): { a: number; b: number } | null {
  let a = -1;
  for (let n = Math.max(from, 0); n < Math.min(to + 1, match.point.length); n += 1) {
    const here = f64(match.progress, n);
    if (Number.isNaN(here)) continue;
    if (here >= progress) return a < 0 ? null : { a, b: n };
    a = n;
  }
  return null;
}
