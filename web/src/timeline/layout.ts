import { type Block, blockAt, isCondensed, type Tick, type TimelineRow, tickAt } from './blocks.ts';
import { type LapMark, type LapsLine, lapsAt, type StopMark } from './laps-line.ts';
import { momentAt, type TimeView } from './time-view.ts';

/** Vertical measures of a timeline, CSS px. */
export interface TimelineLayout {
  /** Top of the first row: below the axis, or 0 where the axis is at the bottom. */
  topPx: number;
  /** Height of a row with its marks and gap. */
  rowPx: number;
  /** Height of the marks above the bar of a row. */
  marksPx: number;
  barPx: number;
  /** Height of the line of laps below the rows; 0 without it. */
  lapsPx: number;
  /** Height of the axis, and its top. */
  axisPx: number;
  axisTopPx: number;
  heightPx: number;
}

export interface TimelineLook {
  /** At the top it is also the axis of a chart above the timeline. */
  axisAt?: 'top' | 'bottom' | undefined;
  /** Full rows are only as high as a pointer needs. */
  isSlim?: boolean | undefined;
}

/** Height of the marks and of the bar of a row, px. */
const ROW_PX = {
  roomy: { marksPx: 10, barPx: 24, gapPx: 6 },
  full: { marksPx: 8, barPx: 14, gapPx: 6 },
  slim: { marksPx: 6, barPx: 10, gapPx: 2 },
};

/** How far beside a narrow block the pointer still hits it, px. */
const SLACK_PX = 5;

/** Calculates the measures; full rows are flat. */
export function layoutOf(
  rows: readonly TimelineRow[],
  hasLaps = false,
  { axisAt = 'bottom', isSlim = false }: TimelineLook = {},
): TimelineLayout {
  const full = isSlim ? ROW_PX.slim : ROW_PX.full;
  const { marksPx, barPx, gapPx } = isCondensed(rows) ? full : ROW_PX.roomy;
  const rowPx = marksPx + barPx + gapPx;
  const lapsPx = hasLaps ? 22 : 0;
  const axisPx = 20;
  const topPx = axisAt === 'top' ? axisPx : 0;
  const bottomPx = lapsTop(rows, { topPx, rowPx }) + lapsPx;
  return {
    topPx,
    rowPx,
    marksPx,
    barPx,
    lapsPx,
    axisPx,
    axisTopPx: axisAt === 'top' ? 0 : bottomPx,
    heightPx: axisAt === 'top' ? bottomPx : bottomPx + axisPx,
  };
}

/** Top of the line of laps, px. */
export function lapsTop(
  rows: readonly TimelineRow[],
  { topPx, rowPx }: Pick<TimelineLayout, 'topPx' | 'rowPx'>,
): number {
  return topPx + Math.max(rows.length, 1) * rowPx;
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
  const belowPx = point.yPx - lapsTop(rows, layout);
  if (line && belowPx >= 0 && belowPx < layout.lapsPx) {
    const nothing = { row: undefined, block: undefined, tick: undefined };
    return { momentMs, ...nothing, ...lapsAt(line, momentMs, slackMs) };
  }
  const inRowsPx = point.yPx - layout.topPx;
  const row = rows[Math.floor(inRowsPx / layout.rowPx)];
  const isOnMarks = inRowsPx % layout.rowPx < layout.marksPx;
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
