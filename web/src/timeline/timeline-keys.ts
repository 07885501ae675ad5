import { pan, type TimeView, zoomAt } from './time-view.ts';

/**
 * The view after a key; undefined for other keys.
 * @param code physical key
 * @param anchorMs the moment that keeps its place while the view zooms
 */
export function viewAfterKey(
  code: string,
  view: TimeView,
  bounds: TimeView,
  anchorMs: number,
): TimeView | undefined {
  const spanMs = view.endMs - view.startMs;
  if (code === 'Equal' || code === 'NumpadAdd') return zoomAt(view, bounds, anchorMs, 2);
  if (code === 'Minus' || code === 'NumpadSubtract') return zoomAt(view, bounds, anchorMs, 0.5);
  if (code === 'Home') return pan(view, bounds, bounds.startMs - view.startMs);
  if (code === 'End') return pan(view, bounds, bounds.endMs - view.endMs);
  if (code === 'PageUp') return pan(view, bounds, -spanMs);
  if (code === 'PageDown') return pan(view, bounds, spanMs);
  return undefined;
}
