// The line below the cameras: the laps of the day, and the bus's stops in them.
import { type TimeView, xOf } from './time-view.ts';

export interface LapMark {
  id: number;
  label: string;
  startMs: number;
  endMs: number;
  isWhole: boolean;
  entered: number;
  exited: number;
}

export interface StopMark {
  name: string;
  startMs: number;
  endMs: number;
  entered: number;
  exited: number;
  /** Ids of the fragments recorded there. */
  fragments: readonly number[];
}

export interface LapsLine {
  label: string;
  laps: readonly LapMark[];
  /** The stops of all laps, by arrival. */
  stops: readonly StopMark[];
}

/** Longest view in which single stops are drawn, ms; in longer ones they are too close to each other. */
export const STOPS_SPAN_MS = 3 * 3_600_000;

const BAR_PX = 16;
/** Minimum width of a lap with a number in it, px. */
const LEAST_LABEL_PX = 18;
const DOT_PX = 3;
/** Minimum space for a stop's name, px. */
const LEAST_NAME_PX = 44;

/** The stop within the slack of a moment, and the lap around it. */
export function lapsAt(
  line: LapsLine,
  momentMs: number,
  slackMs: number,
): { lap: LapMark | undefined; stop: StopMark | undefined } {
  const awayMs = ({ startMs, endMs }: StopMark) =>
    Math.max(0, startMs - momentMs, momentMs - endMs);
  let stop: StopMark | undefined;
  for (const one of line.stops) {
    if (awayMs(one) <= slackMs && (!stop || awayMs(one) < awayMs(stop))) stop = one;
  }
  const lap = line.laps.find(({ startMs, endMs }) => momentMs >= startMs && momentMs < endMs);
  return { lap, stop };
}

interface LapsScene {
  line: LapsLine;
  view: TimeView;
  widthPx: number;
  topPx: number;
}

interface LapsColours {
  track: string;
  line: string;
  label: string;
  surface: string;
}

/** Draws the line at the bottom of the canvas. */
export function drawLaps(
  context: CanvasRenderingContext2D,
  { line, view, widthPx, topPx }: LapsScene,
  colours: LapsColours,
): void {
  const stops = line.stops.filter(
    ({ endMs, startMs }) => endMs > view.startMs && startMs < view.endMs,
  );
  context.textBaseline = 'middle';
  const middle = topPx + BAR_PX / 2;
  for (const lap of line.laps) {
    if (lap.endMs <= view.startMs || lap.startMs >= view.endMs) continue;
    const left = Math.max(xOf(lap.startMs, view, widthPx), -4) + 0.5;
    const right = Math.min(xOf(lap.endMs, view, widthPx), widthPx + 4) - 1.5;
    const width = Math.max(right - left, 1);
    context.beginPath();
    context.roundRect(left, topPx + 0.5, width, BAR_PX - 1, 4);
    context.fillStyle = colours.track;
    context.fill();
    context.strokeStyle = colours.line;
    context.lineWidth = 1;
    // An incomplete lap has a dashed outline.
    context.setLineDash(lap.isWhole ? [] : [3, 3]);
    context.stroke();
    context.setLineDash([]);
    if (stops.length > 0 || width < LEAST_LABEL_PX) continue;
    context.fillStyle = colours.label;
    const half = context.measureText(lap.label).width / 2;
    context.fillText(lap.label, left + width / 2 - half, middle + 0.5);
  }
  stops.forEach((stop, at) => {
    const x = xOf(stop.startMs, view, widthPx);
    const end = Math.max(xOf(stop.endMs, view, widthPx), x);
    context.fillStyle = colours.label;
    context.beginPath();
    context.roundRect(x - DOT_PX, middle - DOT_PX, end - x + 2 * DOT_PX, 2 * DOT_PX, DOT_PX);
    context.fill();
    const next = stops[at + 1];
    const nextX = next ? xOf(next.startMs, view, widthPx) - DOT_PX : widthPx;
    const name = fitted(context, stop.name, nextX - end - 12);
    context.fillStyle = colours.label;
    if (name) context.fillText(name, end + 7, middle + 0.5);
  });
  context.textBaseline = 'alphabetic';
}

/** Shortens a name to the space; undefined if only a letter or two would fit. */
function fitted(
  context: CanvasRenderingContext2D,
  name: string,
  roomPx: number,
): string | undefined {
  if (roomPx < LEAST_NAME_PX) return undefined;
  if (context.measureText(name).width <= roomPx) return name;
  const share = roomPx / context.measureText(`${name}…`).width;
  return `${name.slice(0, Math.floor(name.length * share) - 1).trimEnd()}…`;
}
