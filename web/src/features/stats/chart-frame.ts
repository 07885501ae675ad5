import { roundTo } from '@ridewatch/contract/round';
import { line } from 'd3-shape';
import { topOfLines } from '../../charts/value-lines.ts';
import { formatNumber } from '../../i18n/format.ts';
import type { Series } from './series.ts';

/** Roughly the number of steps of the scale. */
export const STEPS = 4;
/** Height with the axis, px (the drawings). */
export const HEIGHT_PX = 330;
const TOP_PX = 14;
const AXIS_PX = 40;
/** Width of a digit of the scale on a phone, whose text is the largest, and of the space beside the scale, px. */
const SCALE_LETTER_PX = 8;
const SCALE_GAP_PX = 20;
export const RIGHT_PX = 16;

/** The places of things on the chart, px. */
export interface Frame {
  readonly leftPx: number;
  readonly topPx: number;
  readonly widthPx: number;
  readonly heightPx: number;
  /** Width of a tick. */
  readonly stepPx: number;
  /** The value at the top. */
  readonly top: number;
}

/** The value at the top of a chart that shows series, at or above the greatest of their values. */
export function topOf(shown: readonly Series[]): number {
  return topOfLines(Math.max(0, ...shown.map(({ greatest }) => greatest)), STEPS);
}

/**
 * The frame of a chart.
 * @param outerPx the whole width
 * @param ticks the number of ticks
 */
export function frameOf(outerPx: number, ticks: number, top: number): Frame {
  const leftPx = Math.ceil(formatNumber(top).length * SCALE_LETTER_PX) + SCALE_GAP_PX;
  const widthPx = Math.max(outerPx - leftPx - RIGHT_PX, 1);
  return {
    ...{ leftPx, topPx: TOP_PX, widthPx, heightPx: HEIGHT_PX - TOP_PX - AXIS_PX, top },
    stepPx: widthPx / Math.max(ticks, 1),
  };
}

/** The middle of a tick, px. */
export const xOf = ({ leftPx, stepPx }: Frame, at: number): number => leftPx + (at + 0.5) * stepPx;

/** The height of a value, px from above. */
export const yOf = ({ topPx, heightPx, top }: Frame, value: number): number =>
  topPx + heightPx * (1 - value / top);

/** The values of a series by tick; undefined where there are no records. */
type Values = readonly (number | undefined)[];

/** Whether neither neighbour of a value is known, so that no line leads to it. */
export const isLone = (values: Values, at: number): boolean =>
  values[at - 1] === undefined && values[at + 1] === undefined;

/**
 * The path of lines between neighbours that both have a value; null without any.
 * @param from the tick of the first value
 */
export const pathOf = (frame: Frame, values: Values, from: number): string | null =>
  line<number | undefined>()
    .defined((value, n) => value !== undefined && !isLone(values, n))
    .x((_, n) => roundTo(xOf(frame, from + n), 1))
    .y((value = 0) => roundTo(yOf(frame, value), 1))([...values]);

/**
 * A name in one line, or two if it is longer and has several words. What does not fit ends in dots.
 * @param letters for which a line has room
 */
export function nameLines(name: string, letters: number): string[] {
  const cut = (line: string) => (line.length > letters ? `${line.slice(0, letters - 1)}…` : line);
  const at = name.length > letters ? name.lastIndexOf(' ', letters) : -1;
  return at > 0 ? [name.slice(0, at), cut(name.slice(at + 1))] : [cut(name)];
}
