import { formatMoment } from '@ridewatch/contract/day';
import { axisMoments, type TimeView } from './time-view.ts';

const LABEL_GAP_PX = 56;
const MOST_KEPT = 2000;

// Writing a moment in a zone costs more than drawing it, and a zoom writes the same ones again and again.
const kept = new Map<string, string>();

function labelOf(momentMs: number, zone: string): string {
  const key = `${zone} ${momentMs}`;
  const known = kept.get(key);
  if (known !== undefined) return known;
  if (kept.size >= MOST_KEPT) kept.clear();
  const label = formatMoment(momentMs, zone, 'HH:mm');
  kept.set(key, label);
  return label;
}

/** The hours and minutes that the axis of a view names. */
export function axisLabels(
  view: TimeView,
  bounds: TimeView,
  widthPx: number,
  zone: string,
): { momentMs: number; label: string }[] {
  return axisMoments(view, bounds, widthPx, LABEL_GAP_PX).map((momentMs) => ({
    momentMs,
    label: labelOf(momentMs, zone),
  }));
}
