// Finds the stays of a bus around a terminal of its path: between the last place certainly before the terminal and the
// first one certainly after it.
import { f64, i32 } from '@ridewatch/contract/columns';
import type { Halt } from './halts.ts';
import type { Match } from './match.ts';
import { MARGIN_M, windowAround } from './progress.ts';
import type { PathStop, RoutePath } from './route-path.ts';
import {
  distanceTo,
  LINE_M_PER_S,
  type Spot,
  type Stay,
  staysIn,
  type Terminal,
} from './track/stays.ts';
import type { Track } from './track/track.ts';

/** A bus may have been at a terminal between two fixes at least this far apart, ms, at this speed at most, m/s. */
const LEAST_GAP_MS = 15_000;
const VIA_M_PER_S = 14;
/** Two stops of a terminal lie within this distance of each other, along the path and directly, metres. */
const ALONG_M = 2 * MARGIN_M;
const ONE_PLACE_M = 100;
/** Stops closer than this to each other cannot be told apart on the way, metres. */
const LEAST_MARGIN_M = 50;

/** A terminal by its stops, with their places from the terminal's own place on the path, metres. */
export interface StopTerminal extends Terminal {
  readonly arrives: PathStop;
  readonly departs: PathStop;
  readonly arrivesAt: number;
  readonly departsAt: number;
  /** Distances from which the bus approaches the arrival, and at which it has departed: at the stops next to them. */
  readonly approachM: number;
  readonly leavesM: number;
}

/** The terminal where laps begin and end; undefined for a path without stops. */
export function firstTerminal(path: RoutePath): StopTerminal | undefined {
  const { stops, closed, lengthM } = path;
  const [first, last] = [stops[0], stops.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const isOne = closed && first !== last && lengthM - last.at <= alongOf(path);
  const before = isOne ? stops.at(-2) : last;
  const arrivesAt = isOne ? last.at - lengthM : 0;
  return {
    ...{ arrives: isOne ? last : first, departs: first, arrivesAt, departsAt: 0 },
    approachM: marginOf(lengthM + arrivesAt - (before?.at ?? 0)),
    leavesM: marginOf((stops[1] ?? last).at),
  };
}

/** The far terminal; undefined for a path without one. */
export function farTerminal(path: RoutePath): StopTerminal | undefined {
  const { stops, turnAt, firstLeg, lengthM } = path;
  if (turnAt === null) return undefined;
  const isNear = ({ at }: PathStop): boolean => Math.abs(at - turnAt) <= alongOf(path);
  const last = stops.findLast((one) => isNear(one) && one.stop.direction === firstLeg);
  const first = stops.find((one) => isNear(one) && one.stop.direction !== firstLeg);
  const arrives = last ?? first;
  if (arrives === undefined) return undefined;
  const departs = first ?? arrives;
  return {
    ...{ arrives, departs, arrivesAt: arrives.at - turnAt, departsAt: departs.at - turnAt },
    approachM: marginOf(arrives.at - (stops[stops.indexOf(arrives) - 1]?.at ?? 0)),
    leavesM: marginOf((stops[stops.indexOf(departs) + 1]?.at ?? lengthM) - departs.at),
  };
}

/** The last stop of an open path; undefined for a closed one. */
export function lastTerminal({ stops, closed }: RoutePath): StopTerminal | undefined {
  const last = stops.at(-1);
  if (closed || last === undefined) return undefined;
  const margins = { approachM: MARGIN_M, leavesM: MARGIN_M };
  return { arrives: last, departs: last, arrivesAt: 0, departsAt: 0, ...margins };
}

/** Whether two stops of a terminal are one place: people who ride to the one get off there. */
export function isOnePlace(a: PathStop, b: PathStop): boolean {
  return Math.hypot(a.x - b.x, a.y - b.y) <= ONE_PLACE_M;
}

// On a short leg other stops than those of its terminals must remain, metres.
function alongOf({ lengthM, turnAt }: RoutePath): number {
  const shortest = turnAt === null ? lengthM : Math.min(turnAt, lengthM - turnAt);
  return Math.min(ALONG_M, shortest / 3);
}

// Within this distance of a stop the bus is at its terminal, not at the stop next to it, metres.
const marginOf = (metres: number): number => Math.min(MARGIN_M, Math.max(LEAST_MARGIN_M, metres));

/** An arrival or a departure between two fixes, and the fix on the side of the terminal. */
interface Unseen {
  readonly atMs: number;
  readonly point: number;
}

const isOneDwell = ({ arrivalMs, untilMs, fromMs, departureMs }: Stay): boolean =>
  arrivalMs === fromMs && untilMs === departureMs;

/** Finds the stays at a terminal around its place on the path, metres summed over laps, in order of time. */
export function staysAt(
  track: Track,
  halts: readonly Halt[],
  match: Match,
  terminal: StopTerminal,
  progress: number,
): Stay[] {
  const arrivesAt = progress + terminal.arrivesAt;
  const departsAt = progress + terminal.departsAt;
  const { from } = windowAround(match, arrivesAt, terminal.approachM);
  const { to } = windowAround(match, departsAt, terminal.leavesM);
  const first = from < 0 ? 0 : i32(match.point, from);
  const last = to >= match.point.length ? track.length - 1 : i32(match.point, to);
  const stays = staysIn(track, halts, terminal, first, last);
  const arrived = unseenArrival();
  const left = unseenDeparture();
  const [begun, ended] = [stays[0], stays.at(-1)];
  if (begun === undefined || ended === undefined) {
    if (arrived === null || left === null || left.atMs <= arrived.atMs) return [];
    const { atMs } = arrived;
    const lastMs = left.atMs;
    return [
      {
        ...{ firstMs: atMs, arrivalMs: atMs, untilMs: atMs },
        ...{ fromMs: lastMs, departureMs: lastMs, last: left.point },
      },
    ];
  }
  // Fixes at the terminal say more than the way between two fixes, which then only extends their dwell.
  const pointMs = f64(track.timeMs, arrived?.point ?? 0);
  if (arrived !== null && begun.firstMs >= pointMs && arrived.atMs < begun.arrivalMs) {
    const untilMs = begun.firstMs === pointMs ? begun.untilMs : arrived.atMs;
    const fromMs = isOneDwell(begun) ? arrived.atMs : begun.fromMs;
    stays[0] = { ...begun, arrivalMs: arrived.atMs, untilMs, fromMs };
  }
  if (left !== null && ended.last <= left.point && left.atMs > ended.departureMs) {
    const fromMs = ended.last === left.point ? ended.fromMs : left.atMs;
    const last = stays.at(-1) ?? ended;
    const untilMs = isOneDwell(last) && fromMs !== left.atMs ? left.atMs : last.untilMs;
    stays[stays.length - 1] = { ...last, untilMs, fromMs, departureMs: left.atMs };
  }
  return stays;

  // If fixes are rare, the bus may arrive, let passengers out, and drive on to its stand between two of them.
  function unseenArrival(): Unseen | null {
    for (let n = Math.max(from + 1, 1); n <= Math.min(to, match.point.length - 1); n += 1) {
      if (!isBefore(n - 1) || isBefore(n)) continue;
      const gap = gapBefore(n, terminal.arrives);
      if (gap === null) return null;
      const atMs = Math.min(gap.fromMs + (gap.beforeM * 1000) / LINE_M_PER_S, gap.toMs);
      return { atMs, point: i32(match.point, n) };
    }
    return null;
  }
  function unseenDeparture(): Unseen | null {
    for (let n = Math.min(to, match.point.length - 1); n > Math.max(from, 0); n -= 1) {
      if (!isBeyond(n) || isBeyond(n - 1)) continue;
      const gap = gapBefore(n, terminal.departs);
      if (gap === null) return null;
      const atMs = Math.max(gap.toMs - (gap.afterM * 1000) / LINE_M_PER_S, gap.fromMs);
      return { atMs, point: i32(match.point, n) - 1 };
    }
    return null;
  }
  function isBefore(n: number): boolean {
    return f64(match.progress, n) < arrivesAt;
  }
  function isBeyond(n: number): boolean {
    return f64(match.progress, n) > departsAt;
  }
  // The time between an observation and the fix before it if the bus may have been at a spot meanwhile; else null.
  function gapBefore(n: number, spot: Spot) {
    const p = i32(match.point, n);
    const fromMs = f64(track.timeMs, p - 1);
    const toMs = f64(track.timeMs, p);
    const beforeM = distanceTo([spot], f64(track.x, p - 1), f64(track.y, p - 1));
    const afterM = distanceTo([spot], f64(track.x, p), f64(track.y, p));
    const isPossible = ((beforeM + afterM) * 1000) / VIA_M_PER_S <= toMs - fromMs;
    return toMs - fromMs < LEAST_GAP_MS || !isPossible ? null : { fromMs, toMs, beforeM, afterM };
  }
}
