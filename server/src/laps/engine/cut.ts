// Cuts a track into laps. A lap starts when the bus leaves the terminal and ends when it next leaves it. The parts of
// the track before the first departure and after the last arrival are incomplete laps.
import { f64, i32 } from '@ridewatch/contract/columns';
import type { Halt } from './halts.ts';
import type { Match } from './match.ts';
import { coverage, drivesOver, firstReaching, MARGIN_M, progressMs } from './progress.ts';
import type { RoutePath } from './route-path.ts';
import { farTerminal, firstTerminal, lastTerminal, staysAt } from './terminal-stays.ts';
import { layoverEndMs, type Stay, staysOn } from './track/stays.ts';
import { indexAt, type Track } from './track/track.ts';

/** Why a lap is incomplete. */
export type IncompleteReason =
  | 'no_departure'
  | 'no_arrival'
  | 'short_turn'
  | 'detour'
  | 'off_route'
  | 'no_route';

/** The stay at the far terminal, ms since 1970 UTC. */
export interface Turn extends Pick<Stay, 'arrivalMs' | 'untilMs' | 'fromMs' | 'departureMs'> {
  /** The bus left for the second leg; otherwise the track ends during the layover, and `departureMs` is its last dwell. */
  readonly isOver: boolean;
  /** The stay is known: from fixes at the terminal, or from a gap long enough for the way over it. */
  readonly isSeen: boolean;
}

/** A lap as a span of its track. */
export interface LapSpan {
  /** Number k of a lap along the path, which starts at progress k × length; null off the route. */
  readonly round: number | null;
  readonly startMs: number;
  readonly endMs: number;
  /** When it leaves the last stand of the layover before it; its start without one. */
  readonly leavesMs: number;
  /** When the bus arrived at the terminal where the lap begins or ends; null if it did not. */
  readonly arrivedBeforeMs: number | null;
  readonly arrivedAfterMs: number | null;
  /** The first fix at the place where the lap ends if the bus is still there; else null. */
  readonly standsSinceMs: number | null;
  /** The stay at the far terminal; null on circular routes and if the bus did not pass it. */
  readonly turn: Turn | null;
  /** The stays at the terminal before the lap and after it; null without a fix there. */
  readonly before: Stay | null;
  readonly after: Stay | null;
  /** When the bus arrived at the last stop of an open path; null if it did not, and on closed paths. */
  readonly arrivedAtEndMs: number | null;
  /** Null for a complete lap. */
  readonly incomplete: IncompleteReason | null;
}

/** A span in which the bus stays within this distance of its start is no lap, metres. */
const AWAY_M = 300;
/** A bus that is so far along its path is on its way, metres. */
const BEYOND_M = 500;
/** A longer layover is a break: the lap ends with the arrival. */
export const MAX_LAYOVER_MS = 3_600_000;
/** Shortest believable lap, ms; a shorter span off the route is no lap. */
export const MIN_LAP_MS = 60_000;
/** Least time from stop to stop, ms, averaged over a lap; and how many laps a track may have beyond that limit. */
const MIN_STOP_MS = 5000;
const SPARE_ROUNDS = 2;
/** Share of the path that the bus must drive in a complete lap: on a circular route, and on one with two legs. */
const COVER_CIRCLE = 0.8;
const COVER_LEGS = 0.5;

/** A span off the route has no round, no arrivals and no turn. */
const OFF_THE_ROUTE = {
  round: null,
  arrivedBeforeMs: null,
  arrivedAfterMs: null,
  standsSinceMs: null,
  turn: null,
  before: null,
  after: null,
  arrivedAtEndMs: null,
} satisfies Partial<LapSpan>;

/** Cuts a track without long gaps into laps. @param halts of this track */
export function cutLaps(
  track: Track,
  halts: readonly Halt[],
  path: RoutePath,
  match: Match,
): LapSpan[] {
  if (track.length === 0) return [];
  const rounds = roundsOf(match, path);
  if (rounds === null || !isDrivable(rounds, track, path)) return wholeTrack(track, 'off_route');
  const terminal = firstTerminal(path);
  const far = farTerminal(path);
  const endTerminal = lastTerminal(path);
  const laps: LapSpan[] = [];
  const startMs = f64(track.timeMs, 0);
  const endMs = f64(track.timeMs, track.length - 1);
  let stays = staysAround(rounds.first);
  addIdle(startMs, stays[0]?.departureMs ?? startMs, 'no_departure');
  for (let round = rounds.first; round <= rounds.last; round += 1) {
    const next = staysAround(round + 1);
    const departure = stays.at(-1);
    const arrival = next[0];
    const isLast = round === rounds.last;
    const start = departure?.departureMs ?? crossingMs(round) ?? startMs;
    const atEnd = stayAtEnd(round);
    const stands = isLast && next.length <= 1 ? (arrival ?? atEnd) : undefined;
    const standsSinceMs = stands !== undefined && staysThere(stands) ? stands.firstMs : null;
    const end = arrival === undefined ? (crossingMs(round + 1) ?? endMs) : endOf(arrival);
    if (end > start) {
      const turn = turnOf(round, start);
      laps.push({
        round,
        startMs: start,
        endMs: end,
        leavesMs: leavingMs(
          round,
          departure ?? { departureMs: start, last: indexAt(track, start) },
          turn,
          end,
        ),
        arrivedBeforeMs: departure?.arrivalMs ?? null,
        arrivedAfterMs: arrival?.arrivalMs ?? null,
        standsSinceMs,
        turn,
        before: departure ?? null,
        after: arrival ?? null,
        arrivedAtEndMs: atEnd?.arrivalMs ?? null,
        incomplete: incompleteness(round, departure, arrival),
      });
    }
    for (const [n, stay] of next.entries()) {
      const following = next[n + 1];
      if (following !== undefined) addIdle(stay.departureMs, following.departureMs, 'off_route');
      else if (isLast && standsSinceMs === null) addIdle(stay.departureMs, endMs, 'off_route');
    }
    stays = next;
  }
  return laps
    .filter((lap) => lap.round === null || isDriven(lap))
    .sort((a, b) => a.startMs - b.startMs);

  function staysAround(round: number): Stay[] {
    if (terminal === undefined) return [];
    return staysAt(track, halts, match, terminal, round * path.lengthM);
  }
  // A stand between the departure and the far terminal is none of the layover before it.
  function leavingMs(
    round: number,
    departure: Pick<Stay, 'departureMs' | 'last'>,
    turn: Turn | null,
    end: number,
  ): number {
    if (terminal === undefined) return departure.departureMs;
    const beyond = firstReaching(
      match,
      round * path.lengthM + Math.min(BEYOND_M, path.lengthM / 2),
    );
    const until = beyond < match.point.length ? i32(match.point, beyond) : track.length;
    const leftMs = layoverEndMs(track, halts, terminal, departure, until);
    return leftMs < Math.min(turn?.arrivalMs ?? end, end) ? leftMs : departure.departureMs;
  }
  // Only asked for the last lap: it reads the rest of the track.
  function staysThere({ last }: Stay): boolean {
    const end = path.closed ? terminal : endTerminal;
    return end !== undefined && staysOn(track, end, last);
  }
  // An open path ends at its last stop.
  function stayAtEnd(round: number): Stay | undefined {
    if (endTerminal === undefined) return undefined;
    return staysAt(track, halts, match, endTerminal, (round + 1) * path.lengthM).at(-1);
  }
  function endOf({ arrivalMs, departureMs }: Stay): number {
    return departureMs - arrivalMs > MAX_LAYOVER_MS ? arrivalMs : departureMs;
  }
  function crossingMs(round: number): number | null {
    return progressMs(track, match, round * path.lengthM);
  }
  function isDrivenOver(round: number): boolean {
    return drivesOver(track, match, round * path.lengthM);
  }
  function turnOf(round: number, startMs: number): Turn | null {
    if (path.turnAt === null || far === undefined) return null;
    const turn = round * path.lengthM + path.turnAt;
    // A track that begins after the far terminal has only the second leg.
    const begun = match.progress[firstReaching(match, round * path.lengthM - MARGIN_M)];
    if (begun !== undefined && begun - turn > MARGIN_M) return turnAtMoment(startMs);
    // After its arrival a bus is on layover until it leaves for the second leg, however late it leaves.
    const isOver = firstReaching(match, turn + MARGIN_M) < match.point.length;
    const stays = staysAt(track, halts, match, far, turn);
    const [first, last] = [stays[0], stays.at(-1)];
    if (first !== undefined && last !== undefined) {
      const { arrivalMs, untilMs } = first;
      const { fromMs, departureMs } = last;
      return { arrivalMs, untilMs, fromMs, departureMs, isSeen: true, isOver };
    }
    if (!isOver) return null;
    const crossedMs = progressMs(track, match, turn);
    return crossedMs === null ? null : turnAtMoment(crossedMs);
  }
  function turnAtMoment(ms: number): Turn {
    return { arrivalMs: ms, untilMs: ms, fromMs: ms, departureMs: ms, isSeen: false, isOver: true };
  }
  function incompleteness(
    round: number,
    departure?: Stay,
    arrival?: Stay,
  ): IncompleteReason | null {
    const { covered, passedTurn, any } = coverage(match, path, round);
    if (!any) return 'off_route';
    if (departure === undefined && !isDrivenOver(round)) return 'no_departure';
    if (arrival === undefined && !isDrivenOver(round + 1)) return 'no_arrival';
    if (path.turnAt !== null && !passedTurn) return 'short_turn';
    return covered < (path.turnAt === null ? COVER_CIRCLE : COVER_LEGS) ? 'detour' : null;
  }
  function addIdle(from: number, to: number, reason: IncompleteReason): void {
    if (to - from < MIN_LAP_MS || !goesAway(track, from, to)) return;
    laps.push({ ...OFF_THE_ROUTE, startMs: from, endMs: to, leavesMs: from, incomplete: reason });
  }
  function isDriven(lap: LapSpan): boolean {
    return lap.incomplete === null || goesAway(track, lap.startMs, lap.endMs);
  }
}

/** A whole track as one lap. */
export function wholeTrack(track: Track, incomplete: IncompleteReason): LapSpan[] {
  if (track.length === 0) return [];
  const startMs = f64(track.timeMs, 0);
  const endMs = f64(track.timeMs, track.length - 1);
  return [{ ...OFF_THE_ROUTE, startMs, endMs, leavesMs: startMs, incomplete }];
}

function roundsOf(match: Match, path: RoutePath): { first: number; last: number } | null {
  let lowest = Number.POSITIVE_INFINITY;
  let highest = Number.NEGATIVE_INFINITY;
  for (const progress of match.progress) {
    if (progress < lowest) lowest = progress;
    if (progress > highest) highest = progress;
  }
  if (highest < lowest) return null;
  const first = Math.floor((lowest + MARGIN_M) / path.lengthM);
  const last = Math.max(first, Math.floor((highest - MARGIN_M) / path.lengthM));
  return { first, last };
}

// Whether the track is long enough in time for its number of laps. More laps mean that the stops of the path lie on top
// of each other, so that nobody can drive it.
function isDrivable(
  { first, last }: { first: number; last: number },
  { timeMs, length }: Track,
  { stops }: RoutePath,
): boolean {
  const trackMs = f64(timeMs, length - 1) - f64(timeMs, 0);
  const roundMs = Math.max(MIN_LAP_MS, stops.length * MIN_STOP_MS);
  return last - first <= SPARE_ROUNDS + trackMs / roundMs;
}

/** Whether the bus leaves its place in a part of its track, ms since 1970 UTC. */
export function goesAway(track: Track, fromMs: number, toMs: number): boolean {
  const first = indexAt(track, fromMs);
  const x = f64(track.x, first);
  const y = f64(track.y, first);
  for (let p = first; p < track.length && f64(track.timeMs, p) <= toMs; p += 1) {
    if (Math.hypot(f64(track.x, p) - x, f64(track.y, p) - y) > AWAY_M) return true;
  }
  return false;
}
