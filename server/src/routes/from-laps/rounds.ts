// Finds rounds in the track of a bus without a route, whose day is one lap. Candidates for the terminal are the places
// where the bus stood longest and to which it returned; the terminal is the one from which it went farthest: from a
// stop on the way it goes less far, and it visits a depot only in the morning and at night. A round lies between two
// stays at the terminal. It is there and back when it returns along its own line and turns at its far end; else it is a
// circle.
import { f64 } from '@ridewatch/contract/columns';
import { mostOf } from '@ridewatch/contract/extremes';
import { indexAt } from '../../laps/engine/track/track.ts';
import type { Driven } from './lap-track.ts';
import type { Leg, Stay } from './stays.ts';

/** Stays this near to each other are at one terminal, which may have several places to stand. */
const SAME_TERMINAL_M = 120;
/** A shorter way from a place and back is no round. */
const LEAST_REACH_M = 800;
const LEAST_ROUND_MS = 5 * 60_000;
/** Number of candidates for the terminal. */
const MOST_TERMINALS = 12;
/** A place with fewer rounds than this share of the most is a depot. */
const FEW_ROUNDS = 1 / 3;
/** Places from which the bus went about as far are equal; the one where it stood longer wins. */
const ALIKE = 0.9;
/** The width of a street with the noise of both ways. */
const SAME_STREET_M = 60;
/** From this share of the way back along the way there it is there and back, else a circle. */
const SHARED_WAY = 0.6;
/** The bus turns where it stands within this share of its farthest point. */
const NEAR_TURN_M = 400;
/** Distance of the sampled points of a line, m. */
const STEP_M = 40;
/** Most sampled points of one way, evenly chosen: no bus goes round 160 km, and each is compared with the way back. */
const MOST_STEPS = 4000;

interface At {
  readonly x: number;
  readonly y: number;
  readonly startMs: number;
  readonly endMs: number;
}

/** The rounds of a track, each as its legs, in order of time; none for a bus that never returned. */
export function findRounds(driven: Driven, stays: readonly Stay[]): Leg[][] {
  const { plane } = driven;
  const stood = stays
    .map(({ latitude, longitude, startMs, endMs }): At => {
      return { x: plane.xOf(longitude), y: plane.yOf(latitude), startMs, endMs };
    })
    .sort((a, b) => a.startMs - b.startMs);
  const found = terminalsOf(stood).map((visits) => waysFrom(driven, visits));
  const most = mostOf(found, (ways) => ways.length);
  const candidates = found.filter((ways) => ways.length > 0 && ways.length >= most * FEW_ROUNDS);
  const farthest = mostOf(candidates, reachOf);
  const chosen = candidates.find((ways) => reachOf(ways) >= farthest * ALIKE) ?? [];
  return chosen.map((way) => legsOf(way, stood));
}

/** The round of median duration. */
export function typicalRound(rounds: readonly Leg[][]): Leg[] {
  const durationOf = (legs: readonly Leg[]): number =>
    (legs.at(-1)?.endMs ?? 0) - (legs[0]?.startMs ?? 0);
  const ordered = [...rounds].sort((a, b) => durationOf(a) - durationOf(b));
  return ordered[Math.floor((ordered.length - 1) / 2)] ?? [];
}

/** Stays by place, only those visited several times, the longest first. */
function terminalsOf(stood: readonly At[]): At[][] {
  const places: At[][] = [];
  for (const stay of stood) {
    const place = places.find(
      ([first]) => first !== undefined && gapM(first, stay) <= SAME_TERMINAL_M,
    );
    if (place === undefined) places.push([stay]);
    else place.push(stay);
  }
  const dwellOf = (visits: readonly At[]): number =>
    visits.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0);
  return places
    .filter((visits) => visits.length > 1)
    .sort((a, b) => dwellOf(b) - dwellOf(a))
    .slice(0, MOST_TERMINALS);
}

/** A way from a place and back to it. */
interface Way {
  readonly startMs: number;
  readonly endMs: number;
  readonly points: readonly At[];
  readonly far: At;
  readonly reachM: number;
}

function waysFrom({ track }: Driven, visits: readonly At[]): Way[] {
  return visits.slice(1).flatMap((next, index): Way[] => {
    const last = visits[index];
    if (last === undefined || next.startMs - last.endMs < LEAST_ROUND_MS) return [];
    const [startMs, endMs] = [last.endMs, next.startMs];
    const points = steps(track, startMs, endMs);
    const far = points.reduce((best, at) => (gapM(last, at) > gapM(last, best) ? at : best), last);
    const reachM = gapM(last, far);
    return reachM < LEAST_REACH_M ? [] : [{ startMs, endMs, points, far, reachM }];
  });
}

function reachOf(ways: readonly Way[]): number {
  const reaches = ways.map(({ reachM }) => reachM).sort((a, b) => a - b);
  return reaches[Math.floor((reaches.length - 1) / 2)] ?? 0;
}

function legsOf({ startMs, endMs, points, far }: Way, stood: readonly At[]): Leg[] {
  const there = points.filter((at) => at.startMs <= far.startMs);
  const back = points.filter((at) => at.startMs > far.startMs);
  const along = back.filter((at) => there.some((one) => gapM(one, at) <= SAME_STREET_M));
  if (along.length < SHARED_WAY * back.length) return [{ direction: 'FORWARD', startMs, endMs }];
  const turn = stood
    .filter((at) => at.startMs > startMs && at.endMs < endMs && gapM(at, far) <= NEAR_TURN_M)
    .reduce((best: At, at) => (at.endMs - at.startMs > best.endMs - best.startMs ? at : best), far);
  return [
    { direction: 'FORWARD', startMs, endMs: turn.endMs },
    { direction: 'REVERSE', startMs: turn.endMs, endMs },
  ];
}

function steps(track: Driven['track'], startMs: number, endMs: number): At[] {
  const way: At[] = [];
  const end = indexAt(track, endMs + 1);
  for (let n = indexAt(track, startMs); n < end; n += 1) {
    const timeMs = f64(track.timeMs, n);
    const at = { x: f64(track.x, n), y: f64(track.y, n), startMs: timeMs, endMs: timeMs };
    const last = way.at(-1);
    if (last === undefined || gapM(last, at) >= STEP_M) way.push(at);
  }
  const every = Math.ceil(way.length / MOST_STEPS);
  return every <= 1 ? way : way.filter((_, n) => n % every === 0);
}

function gapM(a: Pick<At, 'x' | 'y'>, b: Pick<At, 'x' | 'y'>): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}
