// A lap's call at one of its stops, or the reason why there is none.
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
    distanceM,
    evidence: null,
    skipped: reason,
    confidence,
  };
}
