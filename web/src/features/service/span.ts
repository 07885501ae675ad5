import type { Camera } from '@ridewatch/contract/buses';
import { formatMoment, momentOf } from '@ridewatch/contract/day';
import { endAhead, MAX_PRELOAD_MS } from '@ridewatch/contract/preload';

/** A selected range, ms since 1970 UTC; the end is exclusive. */
export interface Span {
  startMs: number;
  endMs: number;
}

/** Reads `28800-30600`, seconds from the start of the day. */
export function readSpan(text: string | undefined, bounds: Span): Span | undefined {
  const found = /^(\d{1,6})-(\d{1,6})$/.exec(text ?? '');
  if (!found) return undefined;
  const span = {
    startMs: bounds.startMs + Number(found[1]) * 1000,
    endMs: bounds.startMs + Number(found[2]) * 1000,
  };
  return span.endMs <= bounds.endMs ? span : undefined;
}

/** Formats a range for `readSpan`, in whole seconds. */
export function writeSpan({ startMs, endMs }: Span, bounds: Span): string {
  const seconds = (ms: number): number => Math.round((ms - bounds.startMs) / 1000);
  return `${seconds(startMs)}-${seconds(endMs)}`;
}

/** The local time of a moment, as time fields have it. */
export function timeOf(momentMs: number, zone: string): string {
  return formatMoment(momentMs, zone, 'HH:mm:ss');
}

/** The moment of a local time `HH:mm:ss`. */
export function momentAt(date: string, time: string, zone: string): number {
  return momentOf(`${date}T${time}`, zone);
}

/** Why a range cannot be requested from a registrar. */
export type Refusal = 'offline' | 'empty' | 'backwards' | 'startAhead' | 'endAhead' | 'tooLarge';

/**
 * Checks a range: the three refusals of the specification (section 5), an end that is not after the start, and ends that are
 * still to come.
 * @param cameras the cameras of the request; it suffices that one can send
 * @param nowMs the present, ms since 1970 UTC
 */
export function refusalOf(
  span: Span | undefined,
  cameras: readonly Pick<Camera, 'enabled' | 'status'>[],
  nowMs: number,
): Refusal | undefined {
  if (!cameras.some(({ enabled, status }) => enabled && status === 'online')) return 'offline';
  if (!span || Number.isNaN(span.endMs - span.startMs)) return 'empty';
  if (span.endMs <= span.startMs) return 'backwards';
  const ahead = endAhead(span, nowMs);
  if (ahead === 'startTime') return 'startAhead';
  if (span.endMs - span.startMs > MAX_PRELOAD_MS) return 'tooLarge';
  return ahead && 'endAhead';
}
