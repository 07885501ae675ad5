// A lap's call at one of its stops, or the reason why there is none.
import { num } from '@ridewatch/contract/columns';
import type { PathStop, RouteStop } from './route-path.ts';

/**
 * Evidence for a visit: the bus stood, drove slowly, passengers got on or off, or the gap between two fixes is long.
 */
export type VisitEvidence = 'halt' | 'slow' | 'event' | 'gap';
/**
 * Why a stop has no visit: the bus drove past, or took another way; there are no fixes near; or the track ends before
 * it.
 */
export type SkipReason = 'passed' | 'not_driven' | 'no_fix' | 'ahead';

export interface Visit {
  readonly stop: RouteStop;
  readonly arrivalMs: number | null;
  readonly departureMs: number | null;
  /** When the bus drove past a `passed` stop, interpolated; ms since 1970 UTC. Null for other stops. */
  readonly passedMs: number | null;
  /** Least distance of the bus from the stop, metres; null without a fix near it. */
  readonly distanceM: number | null;
  readonly evidence: VisitEvidence | null;
  readonly skipped: SkipReason | null;
  /** 0 to 1. */
  readonly confidence: number;
}

/**
 * Makes a visit with evidence.
 * @param stay ms since 1970 UTC
 * @param distanceM metres; null without a fix near the stop
 */
export function visit(
  stop: PathStop,
  stay: { readonly fromMs: number; readonly toMs: number },
  distanceM: number | null,
  evidence: VisitEvidence,
  confidence: number,
): Visit {
  return {
    stop: stop.stop,
    arrivalMs: stay.fromMs,
    departureMs: stay.toMs,
    passedMs: null,
    distanceM,
    evidence,
    skipped: null,
    confidence,
  };
}

/**
 * Makes the entry of a stop without a visit.
 * @param distanceM metres; null without a fix near the stop
 */
export function skipped(
  stop: PathStop,
  reason: SkipReason,
  distanceM: number | null,
  confidence: number,
): Visit {
  return {
    stop: stop.stop,
    arrivalMs: null,
    departureMs: null,
    passedMs: null,
    distanceM,
    evidence: null,
    skipped: reason,
    confidence,
  };
}

/**
 * Makes the entry of a stop that the bus drove past.
 * @param passedMs ms since 1970 UTC
 * @param distanceM metres; null without a fix near the stop
 */
export function passed(
  stop: PathStop,
  passedMs: number,
  distanceM: number | null,
  confidence: number,
): Visit {
  return { ...skipped(stop, 'passed', distanceM, confidence), passedMs: Math.round(passedMs) };
}

/**
 * Moves each passing between the visits before and after it: both are estimates, and a stop's halt may reach beyond the
 * next stop.
 * @param visits in the order of the stops
 */
export function withPassingsInOrder(visits: readonly Visit[]): Visit[] {
  const nextMs: number[] = [];
  let laterMs = Number.POSITIVE_INFINITY;
  for (const { arrivalMs } of visits.toReversed()) {
    nextMs.unshift(laterMs);
    laterMs = arrivalMs ?? laterMs;
  }
  let beforeMs = Number.NEGATIVE_INFINITY;
  return visits.map((visit, index) => {
    beforeMs = visit.departureMs ?? beforeMs;
    if (visit.passedMs === null) return visit;
    beforeMs = Math.min(num(nextMs, index), Math.max(beforeMs, visit.passedMs));
    return { ...visit, passedMs: beforeMs };
  });
}
