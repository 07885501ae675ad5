import { type Block, blockAt, isCondensed, type Tick, type TimelineRow, tickAt } from './blocks.ts';
import { type LapMark, type LapsLine, lapsAt, type StopMark } from './laps-line.ts';
import { momentAt, type TimeView } from './time-view.ts';

/** Vertical measures of a timeline, in CSS pixels. */
export interface TimelineLayout {
  /** Height of one row, marks and gap included. */
  rowPx: number;
  /** Room above the bar of a row where its counts are marked. */
  marksPx: number;
  barPx: number;
  /** Of the line of laps below the rows; 0 without one. */
  lapsPx: number;
  axisPx: number;
  heightPx: number;
}

/** How near to a narrow block a pointer has to be. */
const SLACK_PX = 5;

/** Measures for these rows, and for the laps below them where there are any; full rows are drawn flat. */
export function layoutOf(rows: readonly TimelineRow[], hasLaps = false): TimelineLayout {
  const condensed = isCondensed(rows);
  const marksPx = condensed ? 8 : 10;
  const barPx = condensed ? 14 : 24;
  const rowPx = marksPx + barPx + 6;
  const lapsPx = hasLaps ? 22 : 0;
  const axisPx = 20;
  const heightPx = lapsTop(rows, rowPx) + lapsPx + axisPx;
  return { rowPx, marksPx, barPx, lapsPx, axisPx, heightPx };
}

/** Where the line of laps begins. */
export function lapsTop(rows: readonly TimelineRow[], rowPx: number): number {
  return Math.max(rows.length, 1) * rowPx;
}

export interface Hit {
  momentMs: number;
  row: TimelineRow | undefined;
  block: Block | undefined;
  /** The counted people whose mark is meant. */
  tick: Tick | undefined;
  lap?: LapMark | undefined;
  stop?: StopMark | undefined;
}

/** What lies under a point of the canvas. */
export function hitTest(
  point: { xPx: number; yPx: number },
  rows: readonly TimelineRow[],
  layout: TimelineLayout,
  view: TimeView,
  widthPx: number,
  line?: LapsLine,
): Hit {
  const momentMs = momentAt(point.xPx, view, widthPx);
  const slackMs = (SLACK_PX / widthPx) * (view.endMs - view.startMs);
  const belowPx = point.yPx - lapsTop(rows, layout.rowPx);
  if (line && belowPx >= 0 && belowPx < layout.lapsPx) {
    const nothing = { row: undefined, block: undefined, tick: undefined };
    return { momentMs, ...nothing, ...lapsAt(line, momentMs, slackMs) };
  }
  const row = rows[Math.floor(point.yPx / layout.rowPx)];
  const isOnMarks = point.yPx % layout.rowPx < layout.marksPx;
  const tick = row && isOnMarks ? tickAt(row.ticks, momentMs, slackMs) : undefined;
  if (tick) return { momentMs: tick.momentMs, row, block: tick.block, tick };
  const block = row && blockAt(row.blocks, momentMs, slackMs);
  // Beside a block that is meant, its nearest moment: what is shown of it and the time said are the same.
  const within = block ? Math.max(block.startMs, Math.min(block.endMs - 1, momentMs)) : momentMs;
  return { momentMs: within, row, block, tick };
}

/** What a moment of a block is, as if it was pointed at. */
export function hitOf(rows: readonly TimelineRow[], block: Block, momentMs: number): Hit {
  const row = rows.find(({ blocks }) => blocks.includes(block));
  return { momentMs, row, block, tick: undefined };
}
