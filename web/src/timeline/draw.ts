import { type Block, blocksWithin, type TimelineRow, ticksWithin } from './blocks.ts';
import { drawLaps, type LapsLine } from './laps-line.ts';
import { lapsTop, type TimelineLayout } from './layout.ts';
import { type TimeView, xOf } from './time-view.ts';

/** The colours of the current theme, as canvas takes them. */
export interface TimelineColours {
  track: string;
  line: string;
  label: string;
  accent: string;
  processed: string;
  waiting: string;
  error: string;
  live: string;
  deleted: string;
  cancelled: string;
  entered: string;
  exited: string;
  surface: string;
}

export interface TimelineScene {
  rows: readonly TimelineRow[];
  line: LapsLine | undefined;
  layout: TimelineLayout;
  view: TimeView;
  widthPx: number;
  axis: readonly { momentMs: number; label: string }[];
  selectedId: number | undefined;
}

/** Minimum width of a block, so that a short one can be seen and hit, px. */
const MIN_BLOCK_PX = 2;

/** Lines and gaps around blocks whose border is not whole, px. */
const DASHES: Readonly<Partial<Record<Block['kind'], number[]>>> = {
  live: [3, 2],
  cancelled: [1.5, 3],
};

/** Reads the theme's colours from the style of an element. */
export function readColours(element: Element): TimelineColours {
  const style = getComputedStyle(element);
  const token = (name: string) => style.getPropertyValue(`--rw-${name}`).trim();
  return {
    track: token('line-soft'),
    line: token('line'),
    label: token('text-second'),
    accent: token('accent'),
    processed: token('entered'),
    waiting: token('text-third'),
    error: token('error'),
    live: token('text-third'),
    deleted: token('text-third'),
    cancelled: token('text-third'),
    entered: token('entered'),
    exited: token('exited'),
    surface: token('surface'),
  };
}

/** Draws the whole timeline. Playhead and pointer line are elements above the canvas. */
export function drawTimeline(
  context: CanvasRenderingContext2D,
  scene: TimelineScene,
  colours: TimelineColours,
): void {
  const { layout, widthPx, rows } = scene;
  context.clearRect(0, 0, widthPx, layout.heightPx);
  drawAxis(context, scene, colours);
  if (scene.line) {
    const topPx = lapsTop(rows, layout);
    drawLaps(context, { line: scene.line, view: scene.view, widthPx, topPx }, colours);
  }
  rows.forEach((row, index) => {
    const barTop = layout.topPx + index * layout.rowPx + layout.marksPx;
    context.fillStyle = colours.track;
    context.beginPath();
    context.roundRect(0, barTop, widthPx, layout.barPx, 3);
    context.fill();
    const blocks = blocksWithin(row.blocks, scene.view);
    drawCounts(context, row, scene, barTop, colours);
    for (const block of blocks) drawBlock(context, block, scene, barTop, colours);
  });
}

function drawAxis(
  context: CanvasRenderingContext2D,
  { axis, layout, view, widthPx, rows }: TimelineScene,
  colours: TimelineColours,
): void {
  const bottom = lapsTop(rows, layout) + layout.lapsPx;
  context.font = '11px "Inter Variable", Inter, sans-serif';
  context.textBaseline = 'alphabetic';
  for (const { momentMs, label } of axis) {
    const x = Math.round(xOf(momentMs, view, widthPx));
    context.fillStyle = colours.line;
    context.fillRect(x, layout.topPx, 1, bottom - layout.topPx);
    const half = context.measureText(label).width / 2;
    context.fillStyle = colours.label;
    context.fillText(
      label,
      Math.min(Math.max(x - half, 0), widthPx - half * 2),
      layout.axisTopPx + 14,
    );
  }
}

// The shape repeats the colour: filled if the video is on the server, hollow if it may still come, a notch above if it
// failed, a line if it was deleted, dots around it if the request was cancelled.
function drawBlock(
  context: CanvasRenderingContext2D,
  block: Block,
  { view, widthPx, layout, selectedId }: TimelineScene,
  top: number,
  colours: TimelineColours,
): void {
  const left = Math.max(xOf(block.startMs, view, widthPx), -4);
  const right = Math.min(xOf(block.endMs, view, widthPx), widthPx + 4);
  const width = Math.max(right - left - (right - left > 6 ? 1 : 0), MIN_BLOCK_PX);
  const selected = block.id === selectedId;
  const { kind } = block;
  context.fillStyle = colours[kind];
  const isHollow = kind === 'waiting' || kind === 'live' || kind === 'cancelled';
  if (isHollow && width >= 5) {
    context.strokeStyle = colours[kind];
    context.lineWidth = 1.5;
    context.setLineDash(DASHES[kind] ?? []);
    context.strokeRect(left + 0.75, top + 3.75, width - 1.5, layout.barPx - 7.5);
    context.setLineDash([]);
  } else if (isHollow || kind === 'deleted') {
    context.fillRect(left, top + layout.barPx / 2 - 2, width, kind === 'deleted' ? 1.5 : 4);
  } else {
    context.fillRect(left, top, width, layout.barPx);
  }
  if (kind === 'error') {
    const middle = left + width / 2;
    context.beginPath();
    context.moveTo(middle - 4, top - 6);
    context.lineTo(middle + 4, top - 6);
    context.lineTo(middle, top - 1);
    context.fill();
  }
  if (selected) {
    context.strokeStyle = colours.surface;
    context.lineWidth = 4;
    context.strokeRect(left - 2, top - 2, width + 4, layout.barPx + 4);
    context.strokeStyle = colours.accent;
    context.lineWidth = 2;
    context.strokeRect(left - 2, top - 2, width + 4, layout.barPx + 4);
  }
}

/** People that fill a mark to its full height. */
const FULL_MARK_PEOPLE = 25;
/** Grid of the marks, px; counts in one cell are added. */
const MARK_PX = 5;

function drawCounts(
  context: CanvasRenderingContext2D,
  row: TimelineRow,
  { view, widthPx, layout }: TimelineScene,
  barTop: number,
  colours: TimelineColours,
): void {
  const marks = new Map<number, { entered: number; exited: number }>();
  for (const { momentMs, entered, exited } of ticksWithin(row.ticks, view)) {
    const x = Math.round(xOf(momentMs, view, widthPx) / MARK_PX) * MARK_PX;
    const mark = marks.get(x);
    if (mark) {
      mark.entered += entered;
      mark.exited += exited;
    } else marks.set(x, { entered, exited });
  }
  // The square root, so that one person is visible beside a crowd.
  const tall = (people: number) =>
    people === 0 ? 0 : 2 + Math.sqrt(Math.min(people / FULL_MARK_PEOPLE, 1)) * (layout.marksPx - 4);
  context.fillStyle = colours.entered;
  for (const [x, { entered }] of marks) {
    context.fillRect(x - 2, barTop - 1 - tall(entered), 2, tall(entered));
  }
  context.fillStyle = colours.exited;
  for (const [x, { exited }] of marks) {
    context.fillRect(x, barTop - 1 - tall(exited), 2, tall(exited));
  }
}
