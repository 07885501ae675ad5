import { formatMoment, momentOf } from '@ridewatch/contract/day';
import { MERGE_STEP_MS } from '@ridewatch/contract/merges';
import type { Segment } from '@ridewatch/contract/segments';

/** From the first start to the last end of a day's fragments, ms since 1970 UTC. */
export interface Limits {
  readonly firstMs: number;
  readonly lastMs: number;
}

/**
 * @param segments of one camera
 * @param dayStartMs fragments that begin before it belong to the day before
 * @returns undefined when the day has none
 */
export function limitsOf(segments: readonly Segment[], dayStartMs: number): Limits | undefined {
  const own = segments.filter(({ start_time }) => Date.parse(start_time) >= dayStartMs);
  if (own.length === 0) return undefined;
  return {
    firstMs: Math.min(...own.map(({ start_time }) => Date.parse(start_time))),
    lastMs: Math.max(...own.map(({ end_time }) => Date.parse(end_time))),
  };
}

/** How many steps the slider has between the limits; the last one may be shorter. */
export function stepsBetween({ firstMs, lastMs }: Limits): number {
  return Math.ceil((lastMs - firstMs) / MERGE_STEP_MS);
}

/** The moment of a step. */
export function momentAt({ firstMs, lastMs }: Limits, step: number): number {
  return Math.min(lastMs, firstMs + step * MERGE_STEP_MS);
}

/** The step that is nearest to a moment. */
export function stepAt(limits: Limits, ms: number): number {
  const step = Math.round((ms - limits.firstMs) / MERGE_STEP_MS);
  return Math.max(0, Math.min(stepsBetween(limits), ms >= limits.lastMs ? Infinity : step));
}

/**
 * The moment that somebody typed.
 * @param text `H:mm`, `HH:mm` or `HH:mm:ss`
 * @param nearMs keeps what the field does not show: parts of a second, and the day of a fragment past midnight
 * @returns NaN for what is no time
 */
export function typedMoment(text: string, day: string, zone: string, nearMs: number): number {
  const parts = /^([01]?\d|2[0-3])[:.]([0-5]\d)(?:[:.]([0-5]\d))?$/.exec(text.trim());
  if (parts === null) return Number.NaN;
  const [, hours = '', minutes, seconds = '00'] = parts;
  const clock = `${hours.padStart(2, '0')}:${minutes}:${seconds}`;
  if (formatMoment(nearMs, zone, 'HH:mm:ss') === clock) return nearMs;
  return momentOf(`${day}T${clock}`, zone);
}

export type PeriodProblem = 'from_early' | 'from_late' | 'to_early' | 'to_late' | 'unreadable';

/** What is wrong with a period (spec section 5). */
export function problemsOf(
  { firstMs, lastMs }: Limits,
  fromMs: number,
  toMs: number,
): { from?: PeriodProblem; to?: PeriodProblem } {
  const from = (): PeriodProblem | undefined => {
    if (Number.isNaN(fromMs)) return 'unreadable';
    if (fromMs < firstMs) return 'from_early';
    return fromMs >= toMs ? 'from_late' : undefined;
  };
  const to = (): PeriodProblem | undefined => {
    if (Number.isNaN(toMs)) return 'unreadable';
    if (toMs > lastMs) return 'to_late';
    return toMs <= fromMs ? 'to_early' : undefined;
  };
  const found = { from: from(), to: to() };
  return {
    ...(found.from && { from: found.from }),
    ...(found.to && { to: found.to }),
  };
}
