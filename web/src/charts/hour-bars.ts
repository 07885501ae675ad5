import { topOfLines } from './value-lines.ts';

/** Counts of a local hour. */
export interface HourBar {
  startMs: number;
  /** An hour in which the clock is changed is shorter. */
  endMs: number;
  entered: number;
  exited: number;
}

export type Side = 'entered' | 'exited';

export interface BarBox {
  side: Side;
  hour: HourBar;
  xPx: number;
  yPx: number;
  widthPx: number;
  heightPx: number;
}

export interface BarFrame {
  startMs: number;
  endMs: number;
  widthPx: number;
  /** Height of the plot without its labels. */
  heightPx: number;
}

const HOUR_MS = 3_600_000;
const WIDEST_BAR_PX = 24;

/** The middle of an hour on the chart: bars are centred at half past, between the ticks of their hour. */
export function midpointPx({ startMs, endMs }: HourBar, frame: BarFrame): number {
  const middleMs = (startMs + endMs) / 2;
  return ((middleMs - frame.startMs) / (frame.endMs - frame.startMs)) * frame.widthPx;
}

/** Roughly the number of steps of the scale. */
export const STEPS = 2;

/** The boxes of the bars that the frame shows; the bars of hidden sides leave their space empty. */
export function barBoxes(
  hours: readonly HourBar[],
  frame: BarFrame,
  hidden: ReadonlySet<Side>,
): BarBox[] {
  const shown = (['entered', 'exited'] as const).filter((side) => !hidden.has(side));
  const greatest = Math.max(0, ...hours.flatMap((hour) => shown.map((side) => hour[side])));
  const top = topOfLines(greatest, STEPS);
  const shortestMs = Math.min(HOUR_MS, ...hours.map(({ startMs, endMs }) => endMs - startMs));
  const hourPx = (shortestMs * frame.widthPx) / (frame.endMs - frame.startMs);
  const widthPx = Math.max(1, Math.min(WIDEST_BAR_PX, Math.floor(hourPx * 0.34)));
  const isInFrame = ({ startMs, endMs }: HourBar) => startMs < frame.endMs && endMs > frame.startMs;
  return hours.filter(isInFrame).flatMap((hour) =>
    shown.map((side) => {
      const heightPx = hour[side] === 0 ? 0 : Math.max(2, (hour[side] / top) * frame.heightPx);
      const middle = midpointPx(hour, frame);
      return {
        side,
        hour,
        xPx: side === 'entered' ? middle - widthPx - 1 : middle + 1,
        yPx: frame.heightPx - heightPx,
        widthPx,
        heightPx,
      };
    }),
  );
}

/** The hour at a position. */
export function hourAt(
  xPx: number,
  hours: readonly HourBar[],
  frame: BarFrame,
): HourBar | undefined {
  const momentMs = frame.startMs + (xPx / frame.widthPx) * (frame.endMs - frame.startMs);
  return hours.find(({ startMs, endMs }) => momentMs >= startMs && momentMs < endMs);
}
