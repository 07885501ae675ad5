import { formatMoment, momentOf } from '@ridewatch/contract/day';
import type { Fragment } from '@ridewatch/contract/fragments';
import { type FrameSize, MERGE_STEP_MS, mergedSize } from '@ridewatch/contract/merges';
import { MAX_PRELOAD_MS } from '@ridewatch/contract/preload';

/** The first start and the last end of a day's fragments, ms since 1970 UTC. */
export interface Limits {
  /** Start of the local day, from which the slider's steps are counted. */
  readonly dayStartMs: number;
  readonly firstMs: number;
  readonly lastMs: number;
}

/**
 * The limits of a day's fragments.
 * @param fragments of one camera
 * @param dayStartMs fragments that begin earlier belong to the day before
 * @returns undefined if the day has no fragments
 */
export function limitsOf(fragments: readonly Fragment[], dayStartMs: number): Limits | undefined {
  const own = fragments.filter(({ start_time }) => Date.parse(start_time) >= dayStartMs);
  if (own.length === 0) return undefined;
  return {
    dayStartMs,
    firstMs: Math.min(...own.map(({ start_time }) => Date.parse(start_time))),
    lastMs: Math.max(...own.map(({ end_time }) => Date.parse(end_time))),
  };
}

/** Number of the slider's steps: each full ten minutes between the limits, and the last limit. */
export function stepsBetween(limits: Limits): number {
  return Math.ceil((limits.lastMs - limits.dayStartMs) / MERGE_STEP_MS) - firstFull(limits) + 1;
}

/** The moment of a step: a limit at either end, full ten minutes of local time between them. */
export function momentAt(limits: Limits, step: number): number {
  if (step <= 0) return limits.firstMs;
  const ms = limits.dayStartMs + (firstFull(limits) + step - 1) * MERGE_STEP_MS;
  return Math.min(limits.lastMs, ms);
}

/** The step nearest to a moment. */
export function stepAt(limits: Limits, ms: number): number {
  const most = stepsBetween(limits);
  const full = Math.floor((ms - limits.dayStartMs) / MERGE_STEP_MS) - firstFull(limits) + 1;
  const before = Math.max(0, Math.min(most, full));
  const after = Math.min(most, before + 1);
  const isLater = momentAt(limits, after) - ms < ms - momentAt(limits, before);
  return isLater ? after : before;
}

/** Number of the first full ten minutes of the day after the first limit. */
const firstFull = ({ firstMs, dayStartMs }: Limits): number =>
  Math.floor((firstMs - dayStartMs) / MERGE_STEP_MS) + 1;

/**
 * Groups fragments into ranges that a registrar accepts in one request.
 * @param fragments by start
 */
export function preloadsOf(fragments: readonly Fragment[]): { startMs: number; endMs: number }[] {
  const ranges: { startMs: number; endMs: number }[] = [];
  for (const { start_time, end_time } of fragments) {
    const [startMs, endMs] = [Date.parse(start_time), Date.parse(end_time)];
    const last = ranges.at(-1);
    if (last && endMs - last.startMs <= MAX_PRELOAD_MS) last.endMs = Math.max(last.endMs, endMs);
    else ranges.push({ startMs, endMs });
  }
  return ranges;
}

/** The frames of a merged video. */
export interface MergedFrames {
  readonly size: FrameSize;
  /** Number of fragments that are scaled to this size. */
  readonly scaled: number;
}

/**
 * The frames of the merged video of some fragments.
 * @param fragments by start
 * @returns undefined if none has video
 */
export function framesOf(fragments: readonly Fragment[]): MergedFrames | undefined {
  const sizes = fragments.flatMap(({ video }) => video ?? []);
  const size = mergedSize(sizes);
  if (size === undefined) return undefined;
  const isSame = (one: FrameSize): boolean =>
    one.width === size.width && one.height === size.height;
  return { size, scaled: sizes.filter((one) => !isSame(one)).length };
}

/**
 * Reads a typed moment.
 * @param text `H:mm`, `HH:mm` or `HH:mm:ss`
 * @param nearMs supplies what the field does not show: milliseconds, and the day of a fragment past midnight
 * @returns NaN if the text is not a time
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

/** Checks a period (spec section 5). */
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
