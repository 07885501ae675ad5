/** The visible period of a timeline, or its bounds, ms since 1970 UTC. */
export interface TimeView {
  startMs: number;
  endMs: number;
}

/** The smallest period of a view, ms. */
export const MIN_SPAN_MS = 60_000;

const MINUTE_MS = 60_000;
const STEPS_MS = [
  ...[5, 10, 15, 30].map((seconds) => seconds * 1000),
  ...[1, 2, 5, 10, 15, 30, 60, 120, 180, 240, 360].map((minutes) => minutes * MINUTE_MS),
];

/** Position of a moment, px from the left edge; outside of the view it is negative or beyond the width. */
export function xOf(momentMs: number, view: TimeView, widthPx: number): number {
  return ((momentMs - view.startMs) / (view.endMs - view.startMs)) * widthPx;
}

/** The moment at a position. */
export function momentAt(xPx: number, view: TimeView, widthPx: number): number {
  return view.startMs + (xPx / widthPx) * (view.endMs - view.startMs);
}

/** Moves a view into the bounds; shortens it if it is longer than they are. */
export function keepInside(view: TimeView, bounds: TimeView): TimeView {
  const span = Math.min(view.endMs - view.startMs, bounds.endMs - bounds.startMs);
  const startMs = Math.min(Math.max(view.startMs, bounds.startMs), bounds.endMs - span);
  return { startMs, endMs: startMs + span };
}

/**
 * Zooms about a moment, which keeps its place on the screen.
 * @param factor above 1 zooms in, below 1 zooms out
 */
export function zoomAt(
  view: TimeView,
  bounds: TimeView,
  anchorMs: number,
  factor: number,
): TimeView {
  const span = view.endMs - view.startMs;
  const widest = bounds.endMs - bounds.startMs;
  const next = Math.min(Math.max(span / factor, Math.min(MIN_SPAN_MS, widest)), widest);
  const startMs = anchorMs - ((anchorMs - view.startMs) / span) * next;
  return keepInside({ startMs, endMs: startMs + next }, bounds);
}

/** Moves the view in time, within the bounds. */
export function pan(view: TimeView, bounds: TimeView, byMs: number): TimeView {
  return keepInside({ startMs: view.startMs + byMs, endMs: view.endMs + byMs }, bounds);
}

/** The same view if it contains the moment, else one of the same length centred on the moment. */
export function reveal(view: TimeView, bounds: TimeView, momentMs: number): TimeView {
  if (momentMs >= view.startMs && momentMs <= view.endMs) return view;
  const half = (view.endMs - view.startMs) / 2;
  return keepInside({ startMs: momentMs - half, endMs: momentMs + half }, bounds);
}

/**
 * The moments of the axis labels. Their round steps are counted from the start of the day, so that they are full local
 * hours also in zones with half-hour offsets.
 * @param minGapPx least distance between two labels
 */
export function axisMoments(
  view: TimeView,
  bounds: TimeView,
  widthPx: number,
  minGapPx: number,
): number[] {
  if (widthPx <= 0) return [];
  const msPerPx = (view.endMs - view.startMs) / widthPx;
  const stepMs = STEPS_MS.find((step) => step / msPerPx >= minGapPx) ?? 720 * MINUTE_MS;
  const first = Math.ceil((view.startMs - bounds.startMs) / stepMs);
  const last = Math.floor((view.endMs - bounds.startMs) / stepMs);
  return Array.from(
    { length: last - first + 1 },
    (_, index) => bounds.startMs + (first + index) * stepMs,
  );
}

/** Shortest initial view, ms. */
const QUIET_SPAN_MS = 4 * 60 * MINUTE_MS;

/**
 * The initial view: the full hours that contain recordings, at least four hours, within the day.
 * @param first,last the first start and the last end, ms; undefined if there are no recordings
 */
export function openingView(
  bounds: TimeView,
  first: number | undefined,
  last: number | undefined,
): TimeView {
  if (first === undefined || last === undefined) return bounds;
  const hourMs = 60 * MINUTE_MS;
  const startMs = bounds.startMs + Math.floor((first - bounds.startMs) / hourMs) * hourMs;
  const endMs = bounds.startMs + Math.ceil((last - bounds.startMs) / hourMs) * hourMs;
  return keepInside({ startMs, endMs: Math.max(endMs, startMs + QUIET_SPAN_MS) }, bounds);
}
