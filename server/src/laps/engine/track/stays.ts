// Finds the stays of a bus at a terminal: from the arrival there to the departure for the next leg, with whatever the
// bus drives nearby in between.
import { f64 } from '@ridewatch/contract/columns';
import { HALT_MIN_MS, type Halt } from '../halts.ts';
import type { Track } from './track.ts';

/** A pass begins within the first distance and ends beyond the second one, metres: at the terminal, and at its stop. */
const AT = { inM: 100, outM: 150 };
const CLOSE = { inM: 50, outM: 80 };
/** A bus within this distance has a layover: stands and depots lie nearby; farther away, it has left, metres. */
const LAYOVER_M = 1000;
/** A shorter halt a little off the stop is a traffic light, ms. */
const STAND_MS = 6 * HALT_MIN_MS;

/** A stand this long and this near is layover, also after a halt at the stop or beside the next one; about, as agreed. */
const LAYOVER_STAND_MS = 5 * 60_000;
const LAYOVER_STAND_M = 250;
/** Noise and the length of a bus: farther away, the bus has gone, metres. */
const GONE_M = LAYOVER_STAND_M + 50;

/** After a gap this long, ms, arrival and departure are computed from the usual speed of a line, m/s. */
export const UNSEEN_MS = 90_000;
export const LINE_M_PER_S = 6;

/** Metres on the track's plane. */
export interface Spot {
  readonly x: number;
  readonly y: number;
}

/** The stops at which buses arrive and depart: the last stop of one leg and the first of the next. */
export interface Terminal {
  readonly arrives: Spot;
  readonly departs: Spot;
}

/** One stay at a terminal, ms since 1970 UTC. */
export interface Stay {
  /** The first fix at the place; later records never change it. */
  readonly firstMs: number;
  /** The arrival, and how long the bus stood there then. */
  readonly arrivalMs: number;
  readonly untilMs: number;
  /** Since when it last stood where it departs, and the departure. */
  readonly fromMs: number;
  readonly departureMs: number;
  /** Index of its last point in the track. */
  readonly last: number;
}

/**
 * Finds the stays at a terminal within a part of the track, in order of time.
 * @param from index of the part's first point in the track
 * @param to index of its last one
 */
export function staysIn(
  track: Track,
  halts: readonly Halt[],
  terminal: Terminal,
  from: number,
  to: number,
): Stay[] {
  const { arrives, departs } = terminal;
  const isOne = Math.hypot(arrives.x - departs.x, arrives.y - departs.y) < 1;
  const both = isOne ? [arrives] : [arrives, departs];
  return groupsOf(passesOf(track, both, AT, from, to)).map((passes) => {
    const [first, last] = [passes[0] as Pass, passes.at(-1) as Pass];
    const begun = arrivalIn(stoodAt(passes, 1));
    const ended = departureIn(stoodAt(passes, -1));
    return {
      firstMs: f64(track.timeMs, first.first),
      ...inOrder(
        Math.min(begun.fromMs, unseen(first.first - 1, first.first, 1) ?? begun.fromMs),
        begun.toMs,
        ended.fromMs,
        Math.max(ended.toMs, unseen(last.last + 1, last.last, -1) ?? ended.toMs),
      ),
      last: last.last,
    };
  });

  // The first pass of the stop where the bus arrives, or a stand before it.
  function arrivalIn(first: Pass): Dwell {
    const passes = passesOf(track, [arrives], CLOSE, first.first, first.last);
    const close = passes.length > 0 ? stoodAt(passes, 1) : undefined;
    const stand = standsIn(first, [arrives], AT.inM)[0];
    if (close === undefined) return stand ?? dwellIn(first, both);
    const dwell = dwellIn(close, [arrives]);
    return stand !== undefined && stand.fromMs < dwell.fromMs ? stand : dwell;
  }
  // The last pass of the stop where it departs, or a stand after it: the bus may drive on from there at once.
  function departureIn(last: Pass): Dwell {
    const passes = passesOf(track, [departs], CLOSE, last.first, last.last);
    const close = passes.length > 0 ? stoodAt(passes, -1) : undefined;
    const stand = standsIn(last, [departs], AT.outM).at(-1);
    if (close === undefined) return stand ?? dwellIn(last, both);
    const dwell = dwellIn(close, [departs]);
    return stand !== undefined && stand.toMs > dwell.toMs ? stand : dwell;
  }

  // The first pass in time, or the last one, unless the bus only drove by and stood at the one next to it: it drove round
  // the block. A bus that stood elsewhere in between had its layover there.
  function stoodAt(passes: readonly Pass[], step: 1 | -1): Pass {
    const inTime = step > 0 ? passes : passes.toReversed();
    const [edge, next] = [inTime[0] as Pass, inTime[1]];
    if (next === undefined || haltsIn(edge, both, AT.inM).length > 0) return edge;
    const [a, b] = step > 0 ? [edge, next] : [next, edge];
    const stoodBetween = halts.some((halt) => halt.first > a.last && halt.last < b.first);
    return !stoodBetween && haltsIn(next, both, AT.inM).length > 0 ? next : edge;
  }

  // Passes with no point far away between them are one stay.
  function groupsOf(passes: readonly Pass[]): Pass[][] {
    const groups: Pass[][] = [];
    for (const pass of passes) {
      const group = groups.at(-1);
      const before = group?.at(-1);
      if (group === undefined || before === undefined || leaves(before.last, pass.first)) {
        groups.push([pass]);
      } else group.push(pass);
    }
    return groups;
  }

  function leaves(first: number, end: number): boolean {
    for (let p = first; p < end; p += 1) {
      if (distanceTo(both, f64(track.x, p), f64(track.y, p)) > LAYOVER_M) return true;
    }
    return false;
  }

  function haltsIn({ first, last }: Pass, spots: readonly Spot[], withinM: number): Dwell[] {
    return halts
      .filter((halt) => halt.last >= first && halt.first <= last)
      .filter((halt) => distanceTo(spots, halt.x, halt.y) <= withinM)
      .map(({ startMs, endMs }) => ({ fromMs: startMs, toMs: endMs }));
  }
  function standsIn(pass: Pass, spots: readonly Spot[], withinM: number): Dwell[] {
    return haltsIn(pass, spots, withinM).filter(({ fromMs, toMs }) => toMs - fromMs >= STAND_MS);
  }
  // From the first halt to the last one, or the moment when the bus was nearest.
  function dwellIn(pass: Pass, spots: readonly Spot[]): Dwell {
    const dwells = haltsIn(pass, spots, AT.inM);
    const nearestMs = f64(track.timeMs, nearestPoint(track, spots, pass.first, pass.last));
    return { fromMs: dwells[0]?.fromMs ?? nearestMs, toMs: dwells.at(-1)?.toMs ?? nearestMs };
  }

  // When the bus arrived from a fix outside, or left for it, if there is a gap in between; else null.
  function unseen(outside: number, inside: number, sign: 1 | -1): number | null {
    const outsideMs = track.timeMs[outside];
    if (outsideMs === undefined || outside < from || outside > to) return null;
    if (Math.abs(f64(track.timeMs, inside) - outsideMs) < UNSEEN_MS) return null;
    const metres = distanceTo(both, f64(track.x, outside), f64(track.y, outside));
    const atMs = outsideMs + (sign * metres * 1000) / LINE_M_PER_S;
    const insideMs = f64(track.timeMs, inside);
    return sign > 0 ? Math.min(atMs, insideMs) : Math.max(atMs, insideMs);
  }
}

/**
 * When the bus leaves the last stand of its layover for good: it may call at its stop first and wait a little beyond.
 * @param until index of the track's point behind which no stand is looked for
 * @returns ms since 1970 UTC; the departure without such a stand
 */
export function layoverEndMs(
  track: Track,
  halts: readonly Halt[],
  { arrives, departs }: Terminal,
  { departureMs, last }: Pick<Stay, 'departureMs' | 'last'>,
  until: number,
): number {
  const spots = [arrives, departs];
  let gone = last;
  while (gone < until && distanceTo(spots, f64(track.x, gone), f64(track.y, gone)) <= GONE_M) {
    gone += 1;
  }
  let endMs = departureMs;
  for (const halt of halts) {
    if (halt.endMs <= departureMs || halt.last >= gone) continue;
    const isLong = halt.endMs - halt.startMs >= LAYOVER_STAND_MS;
    const isNear = distanceTo(spots, halt.x, halt.y) <= LAYOVER_STAND_M;
    if (isLong && isNear) endMs = Math.max(endMs, halt.endMs);
  }
  return endMs;
}

/**
 * Whether the bus has stayed near a terminal from a point of its track on. It reads the track to its end, so ask for one
 * stay only.
 */
export function staysOn(track: Track, { arrives, departs }: Terminal, last: number): boolean {
  for (let p = last; p < track.length; p += 1) {
    if (distanceTo([arrives, departs], f64(track.x, p), f64(track.y, p)) > LAYOVER_M) return false;
  }
  return true;
}

function inOrder(arrivalMs: number, untilMs: number, fromMs: number, departureMs: number) {
  // Both dwells are one at a stay without a layover elsewhere; else the first one ends before the last one begins.
  const leftMs = Math.max(departureMs, arrivalMs);
  return {
    arrivalMs,
    untilMs: Math.min(Math.max(untilMs, arrivalMs), leftMs),
    fromMs: Math.max(Math.min(fromMs, leftMs), arrivalMs),
    departureMs: leftMs,
  };
}

interface Dwell {
  readonly fromMs: number;
  readonly toMs: number;
}

interface Pass {
  readonly first: number;
  readonly last: number;
}

// The parts of the track near any of some spots. A bus that the noise moves over the limit has not left.
function passesOf(
  track: Track,
  spots: readonly Spot[],
  { inM, outM }: typeof AT,
  from: number,
  to: number,
): Pass[] {
  const passes: { first: number; last: number }[] = [];
  let isNear = false;
  for (let p = from; p <= to; p += 1) {
    const metres = distanceTo(spots, f64(track.x, p), f64(track.y, p));
    if (metres > outM) isNear = false;
    if (metres > inM) continue;
    const pass = passes.at(-1);
    if (isNear && pass !== undefined) pass.last = p;
    else passes.push({ first: p, last: p });
    isNear = true;
  }
  return passes;
}

function nearestPoint(track: Track, spots: readonly Spot[], first: number, last: number): number {
  let best = first;
  let bestM = Number.POSITIVE_INFINITY;
  for (let p = first; p <= last; p += 1) {
    const metres = distanceTo(spots, f64(track.x, p), f64(track.y, p));
    if (metres <= bestM) {
      bestM = metres;
      best = p;
    }
  }
  return best;
}

/** Distance from the nearest of some spots, metres. */
export function distanceTo(spots: readonly Spot[], x: number, y: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (const spot of spots) least = Math.min(least, Math.hypot(spot.x - x, spot.y - y));
  return least;
}
