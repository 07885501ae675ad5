import { formatMoment } from '@ridewatch/contract/day';
import { axisMoments, type TimeView } from './time-view.ts';

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
