import { type Block, blockAt, isCondensed, type Tick, type TimelineRow, tickAt } from './blocks.ts';
import { type LapMark, type LapsLine, lapsAt, type StopMark } from './laps-line.ts';
import { momentAt, type TimeView } from './time-view.ts';

/** Vertical measures of a timeline, CSS px. */
export interface TimelineLayout {
  /** Height of a row with its marks and gap. */
  rowPx: number;
  /** Height of the marks above the bar of a row. */
  marksPx: number;
  barPx: number;
  /** Height of the line of laps below the rows; 0 without it. */
  lapsPx: number;
  axisPx: number;
  heightPx: number;
}

/** How far beside a narrow block the pointer still hits it, px. */
const SLACK_PX = 5;

/** Calculates the measures; full rows are flat. */
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

/** Top of the line of laps, px. */
export function lapsTop(rows: readonly TimelineRow[], rowPx: number): number {
  return Math.max(rows.length, 1) * rowPx;
}

export interface Hit {
  momentMs: number;
  row: TimelineRow | undefined;
  block: Block | undefined;
  /** The count whose mark is hit. */
  tick: Tick | undefined;
  lap?: LapMark | undefined;
  stop?: StopMark | undefined;
}

/** Finds what is under a point of the canvas. */
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
  // Beside a block use its nearest moment, so that the shown frame and the shown time agree.
  const within = block ? Math.max(block.startMs, Math.min(block.endMs - 1, momentMs)) : momentMs;
  return { momentMs: within, row, block, tick };
}

/** The hit for a moment of a block. */
export function hitOf(rows: readonly TimelineRow[], block: Block, momentMs: number): Hit {
  const row = rows.find(({ blocks }) => blocks.includes(block));
  return { momentMs, row, block, tick: undefined };
}
