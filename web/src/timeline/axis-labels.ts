import { formatMoment } from '@ridewatch/contract/day';
import { axisMoments, type TimeView, xOf } from './time-view.ts';

/** Width of the pointed time on the axis, px. */
export const TIME_PX = 60;
/** Half of the widest label of the axis and the space beside it, px. */
const BESIDE_PX = 28;

/** The place of the pointed time on the axis: at the pointer, within the timeline; px of its middle. */
export function timeAt(xPx: number, widthPx: number): number {
  return Math.min(Math.max(xPx, TIME_PX / 2), Math.max(widthPx - TIME_PX / 2, TIME_PX / 2));
}

/** Space for a label with seconds, px. */
const LABEL_GAP_PX = 64;
const MAX_CACHED = 2000;

// Cache labels: formatting a moment in a zone costs more than drawing it, and a zoom formats the same moments again.
const cache = new Map<string, string>();

function labelOf(momentMs: number, zone: string, pattern: string): string {
  const key = `${zone} ${pattern} ${momentMs}`;
  const known = cache.get(key);
  if (known !== undefined) return known;
  if (cache.size >= MAX_CACHED) cache.clear();
  const label = formatMoment(momentMs, zone, pattern);
  cache.set(key, label);
  return label;
}

/**
 * Finds the labels of an axis that make room for the pointed time.
 * @param timePx the middle of the pointed time; undefined for none
 * @returns the index of the first and of the last one; -1 if there is none
 */
export function labelsUnder(
  labels: readonly { momentMs: number }[],
  timePx: number | undefined,
  view: TimeView,
  widthPx: number,
): { first: number; last: number } {
  const isUnder = ({ momentMs }: { momentMs: number }) => {
    if (timePx === undefined) return false;
    // A label at an end of the canvas is moved into it.
    const x = Math.min(Math.max(xOf(momentMs, view, widthPx), BESIDE_PX), widthPx - BESIDE_PX);
    return Math.abs(x - timePx) < TIME_PX / 2 + BESIDE_PX;
  };
  return { first: labels.findIndex(isUnder), last: labels.findLastIndex(isUnder) };
}

/** The labels of a view's axis. */
export function axisLabels(
  view: TimeView,
  bounds: TimeView,
  widthPx: number,
  zone: string,
): { momentMs: number; label: string }[] {
  const moments = axisMoments(view, bounds, widthPx, LABEL_GAP_PX);
  // If any label needs seconds, all have them.
  const pattern = moments.every((ms) => (ms - bounds.startMs) % 60_000 === 0)
    ? 'HH:mm'
    : 'HH:mm:ss';
  return moments.map((momentMs) => ({ momentMs, label: labelOf(momentMs, zone, pattern) }));
}
