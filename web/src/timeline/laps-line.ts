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
  /** The part that could not be loaded. */
  failed?: string | undefined;
  /** The stops of all laps, by arrival. */
  stops: readonly StopMark[];
}

/** Longest view in which single stops are drawn, ms; in longer ones they are too close to each other. */
export const STOPS_SPAN_MS = 3 * 3_600_000;

const BAR_PX = 18;
/** Minimum width of a lap with a number in it, px. */
const LEAST_LABEL_PX = 18;
/** Height of the tick of a stop, px. */
const TICK_PX = 3;
/** Minimum space for a shortened name of a stop, px. */
const LEAST_NAME_PX = 44;
/** Space between the names of two stops, px. */
const NAME_GAP_PX = 10;
/** Space around a lap's number, px. */
const NUMBER_GAP_PX = 6;

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
  const numbers: Span[] = [];
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
    if (width < LEAST_LABEL_PX) continue;
    const labelPx = context.measureText(lap.label).width;
    // Between stops the number is at the left end of what is visible of the lap, else in its middle.
    const x = stops.length > 0 ? Math.max(left, 0) + NUMBER_GAP_PX : left + (width - labelPx) / 2;
    numbers.push({ text: lap.label, x, end: x + labelPx });
  }
  for (const { startMs, endMs } of stops) {
    const x = xOf(startMs, view, widthPx);
    const stayPx = Math.max(xOf(endMs, view, widthPx) - x, 0);
    context.fillStyle = colours.label;
    context.beginPath();
    context.roundRect(x - TICK_PX / 2, topPx + 1, stayPx + TICK_PX, TICK_PX, TICK_PX / 2);
    context.fill();
  }
  context.fillStyle = colours.label;
  const names = stops.length > 0 ? namesOf(context, line.stops, numbers, view, widthPx) : [];
  const textY = middle + (stops.length > 0 ? TICK_PX / 2 : 0.5);
  for (const { text, x } of [...numbers, ...names]) context.fillText(text, x, textY);
  context.textBaseline = 'alphabetic';
}

/** A text on the line, px from its left end. */
interface Span {
  readonly text: string;
  readonly x: number;
  readonly end: number;
}

/**
 * The names below the ticks of their stops, each where the one before leaves room. They are chosen among all stops, so
 * that they stay the same while the view moves.
 */
function namesOf(
  context: CanvasRenderingContext2D,
  stops: readonly StopMark[],
  numbers: readonly Span[],
  view: TimeView,
  widthPx: number,
): Span[] {
  const names: Span[] = [];
  let freePx = Number.NEGATIVE_INFINITY;
  for (const { name, startMs, endMs } of stops) {
    const start = xOf(startMs, view, widthPx);
    const isSeen = endMs > view.startMs && startMs < view.endMs;
    // The name stays in sight as long as the bus stands, and gives way to the number of its lap.
    const x = isSeen ? behind(numbers, Math.max(start, 0)) : start;
    if (x < freePx) continue;
    const next = numbers.find((number) => number.x > x);
    const text = isSeen ? fitted(context, name, (next?.x ?? widthPx) - NUMBER_GAP_PX - x) : name;
    if (!text) continue;
    const end = x + context.measureText(text).width;
    if (isSeen) names.push({ text, x, end });
    freePx = end + NAME_GAP_PX;
  }
  return names;
}

/** The place of a name that would begin in a lap's number or close before it: behind it. */
function behind(numbers: readonly Span[], x: number): number {
  const number = numbers.find((one) => x > one.x - LEAST_NAME_PX && x < one.end + NUMBER_GAP_PX);
  return number ? number.end + NUMBER_GAP_PX : x;
}

/** Shortens a name to the space; undefined if only a letter or two would fit. */
function fitted(
  context: CanvasRenderingContext2D,
  name: string,
  roomPx: number,
): string | undefined {
  const fullPx = context.measureText(name).width;
  if (fullPx <= roomPx) return name;
  if (roomPx < LEAST_NAME_PX) return undefined;
  const share = roomPx / context.measureText(`${name}…`).width;
  return `${name.slice(0, Math.floor(name.length * share) - 1).trimEnd()}…`;
}
