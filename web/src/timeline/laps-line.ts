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
/** Minimum space for a shortened name of a stop, px. */
const LEAST_NAME_PX = 44;
/** Space before a stop's name, and before the next stop, px. */
const NAME_GAP_PX = 4;
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
    numbers.push({ text: lap.label, x, end: x + labelPx, isOver: stops.length > 0 });
  }
  for (const stop of stops) {
    const x = xOf(stop.startMs, view, widthPx);
    const end = Math.max(xOf(stop.endMs, view, widthPx), x);
    context.fillStyle = colours.label;
    context.beginPath();
    context.roundRect(x - DOT_PX, middle - DOT_PX, end - x + 2 * DOT_PX, 2 * DOT_PX, DOT_PX);
    context.fill();
  }
  const names = stops.flatMap((stop, at): Span[] => {
    const next = stops[at + 1];
    const start = Math.max(xOf(stop.startMs, view, widthPx), 0);
    const end = Math.max(xOf(stop.endMs, view, widthPx), start);
    const roomEnd = next ? xOf(next.startMs, view, widthPx) - DOT_PX - NAME_GAP_PX : widthPx;
    // A bus that stands until after the view has its name over the line of its stay.
    const isOver = end + LEAST_NAME_PX > widthPx && Math.min(end, widthPx) - start > LEAST_NAME_PX;
    const x = behind(numbers, (isOver ? start : end) + DOT_PX + NAME_GAP_PX);
    const text = fitted(context, stop.name, (isOver ? widthPx : roomEnd) - x);
    return text ? [{ text, x, end: x + context.measureText(text).width, isOver }] : [];
  });
  for (const { text, x, end, isOver } of [...names, ...numbers]) {
    context.fillStyle = colours.track;
    if (isOver) context.fillRect(x - 2, middle - DOT_PX, end - x + 4, 2 * DOT_PX);
    context.fillStyle = colours.label;
    context.fillText(text, x, middle + 0.5);
  }
  context.textBaseline = 'alphabetic';
}

/** A text on the line, px from its left end. */
interface Span {
  readonly text: string;
  readonly x: number;
  readonly end: number;
  /** Whether it may lie over the line of a stop, which it then interrupts. */
  readonly isOver: boolean;
}

/** The place of a name that would begin in a lap's number: behind it. */
function behind(numbers: readonly Span[], x: number): number {
  const number = numbers.find((one) => x > one.x - NUMBER_GAP_PX && x < one.end + NUMBER_GAP_PX);
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
