// Computes the load after each stop of a lap. The raw load sums the counts and may be negative. Screens show the
// balanced load: both sides are scaled to their mean, so that as many get off as got on, and never more than are on
// board.

import { num } from '@ridewatch/contract/columns';

/** People at one stop, in the order of the lap. */
export interface StopCount {
  readonly entered: number;
  readonly exited: number;
}

export interface Loads {
  /** As counted, after each stop. */
  readonly raw: number[];
  /** Balanced, after each stop; never below zero, zero after the last. */
  readonly balanced: number[];
  /** Balanced counts, fractions of people. */
  readonly boarded: number[];
  readonly alighted: number[];
  /** Entered − exited over the lap: the error of the counter. */
  readonly drift: number;
  /** |entered − exited| / the greater, 0 to 1. */
  readonly imbalance: number;
}

/**
 * Computes the loads of a lap that begins and ends empty.
 * @param keep the side whose counts stay as they are; by default both are scaled to their mean
 */
export function loadsOf(stops: readonly StopCount[], keep?: 'entered' | 'exited'): Loads {
  const entered = stops.reduce((sum, stop) => sum + stop.entered, 0);
  const exited = stops.reduce((sum, stop) => sum + stop.exited, 0);
  const target = keep === undefined ? (entered + exited) / 2 : { entered, exited }[keep];
  const boarded = scaled(
    stops.map((stop) => stop.entered),
    target,
  );
  const alighted = scaled(
    stops.map((stop) => stop.exited),
    target,
  );
  const raw: number[] = [];
  const balanced: number[] = [];
  let rawLoad = 0;
  let load = 0;
  let owed = 0;
  for (const [n, stop] of stops.entries()) {
    rawLoad += stop.entered - stop.exited;
    raw.push(rawLoad);
    // Clocks and doors differ. Passengers counted off before they were counted on get off as soon as somebody is on
    // board.
    const off = Math.min(num(alighted, n) + owed, load);
    owed += num(alighted, n) - off;
    alighted[n] = off;
    load += num(boarded, n) - off;
    balanced.push(Math.max(0, load));
  }
  leaveAtEnd(alighted, balanced, load);
  const most = Math.max(entered, exited);
  return {
    raw,
    balanced,
    boarded,
    alighted,
    drift: entered - exited,
    imbalance: most === 0 ? 0 : Math.abs(entered - exited) / most,
  };
}

function scaled(counts: readonly number[], target: number): number[] {
  const sum = counts.reduce((total, count) => total + count, 0);
  return counts.map((count) => (sum === 0 ? 0 : (count * target) / sum));
}

function leaveAtEnd(alighted: number[], balanced: number[], left: number): void {
  const last = alighted.length - 1;
  if (last < 0) return;
  alighted[last] = num(alighted, last) + Math.max(0, left);
  balanced[last] = 0;
}
