/** The stretch of time that a timeline shows, ms since 1970 UTC; also the bounds it may not leave. */
export interface TimeView {
  startMs: number;
  endMs: number;
}

/** The closest look: a minute across the whole width. */
export const MIN_SPAN_MS = 60_000;

const MINUTE_MS = 60_000;
const STEPS_MS = [
  ...[5, 10, 15, 30].map((seconds) => seconds * 1000),
  ...[1, 2, 5, 10, 15, 30, 60, 120, 180, 240, 360].map((minutes) => minutes * MINUTE_MS),
];

/** Where a moment lies, in pixels from the left edge; outside the view it is negative or past the width. */
export function xOf(momentMs: number, view: TimeView, widthPx: number): number {
  return ((momentMs - view.startMs) / (view.endMs - view.startMs)) * widthPx;
}

/** The moment under a pixel. */
export function momentAt(xPx: number, view: TimeView, widthPx: number): number {
  return view.startMs + (xPx / widthPx) * (view.endMs - view.startMs);
}

/** A view of the same span, moved so that it lies within the bounds. */
export function keepInside(view: TimeView, bounds: TimeView): TimeView {
  const span = Math.min(view.endMs - view.startMs, bounds.endMs - bounds.startMs);
  const startMs = Math.min(Math.max(view.startMs, bounds.startMs), bounds.endMs - span);
  return { startMs, endMs: startMs + span };
}

/**
 * Zooms about a moment, which keeps its place on the screen.
 * @param factor above 1 comes closer, below 1 steps back
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

/** Moves the view by a stretch of time, as far as the bounds allow. */
export function pan(view: TimeView, bounds: TimeView, byMs: number): TimeView {
  return keepInside({ startMs: view.startMs + byMs, endMs: view.endMs + byMs }, bounds);
}

/** The same view when it shows the moment, else one of the same span with the moment in its middle. */
export function reveal(view: TimeView, bounds: TimeView, momentMs: number): TimeView {
  if (momentMs >= view.startMs && momentMs <= view.endMs) return view;
  const half = (view.endMs - view.startMs) / 2;
  return keepInside({ startMs: momentMs - half, endMs: momentMs + half }, bounds);
}

/**
 * The moments that the axis names: round steps counted from the start of the day, so that they are whole local hours
 * also in zones that differ from UTC by half an hour.
 * @param minGapPx the least distance between two labels
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

/** The least that a timeline shows before anybody zooms. */
const QUIET_SPAN_MS = 4 * 60 * MINUTE_MS;

/**
 * What a timeline shows at first: the hours in which anything was recorded, whole hours with some air, inside the day.
 * @param first,last moments of the first start and the last end; undefined when there is nothing
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
