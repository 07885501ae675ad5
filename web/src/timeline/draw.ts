import { type Block, blocksWithin, type TimelineRow } from './blocks.ts';
import type { TimelineLayout } from './layout.ts';
import { type TimeView, xOf } from './time-view.ts';

/** The colours of the theme that is on, as canvas understands them. */
export interface TimelineColours {
  track: string;
  line: string;
  label: string;
  accent: string;
  processed: string;
  waiting: string;
  error: string;
  entered: string;
  exited: string;
  surface: string;
}

export interface TimelineScene {
  rows: readonly TimelineRow[];
  layout: TimelineLayout;
  view: TimeView;
  widthPx: number;
  axis: readonly { momentMs: number; label: string }[];
  selectedId: number | undefined;
}

/** The least width of a block, so that a short one can still be seen and hit. */
const MIN_BLOCK_PX = 2;

/** Reads the theme's colours off an element. */
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
    entered: token('entered'),
    exited: token('exited'),
    surface: token('surface'),
  };
}

/** Draws the whole timeline; the playhead and the pointer's line lie above it and need no drawing. */
export function drawTimeline(
  context: CanvasRenderingContext2D,
  scene: TimelineScene,
  colours: TimelineColours,
): void {
  const { layout, widthPx, rows } = scene;
  context.clearRect(0, 0, widthPx, layout.heightPx);
  drawAxis(context, scene, colours);
  rows.forEach((row, index) => {
    const barTop = index * layout.rowPx + layout.marksPx;
    context.fillStyle = colours.track;
    context.beginPath();
    context.roundRect(0, barTop, widthPx, layout.barPx, 3);
    context.fill();
    const blocks = blocksWithin(row.blocks, scene.view);
    drawCounts(context, blocks, scene, barTop, colours);
    for (const block of blocks) drawBlock(context, block, scene, barTop, colours);
  });
}

function drawAxis(
  context: CanvasRenderingContext2D,
  { axis, layout, view, widthPx, rows }: TimelineScene,
  colours: TimelineColours,
): void {
  const bottom = Math.max(rows.length, 1) * layout.rowPx;
  context.font = '11px "Inter Variable", Inter, sans-serif';
  context.textBaseline = 'alphabetic';
  for (const { momentMs, label } of axis) {
    const x = Math.round(xOf(momentMs, view, widthPx));
    context.fillStyle = colours.line;
    context.fillRect(x, 0, 1, bottom);
    const half = context.measureText(label).width / 2;
    context.fillStyle = colours.label;
    context.fillText(label, Math.min(Math.max(x - half, 0), widthPx - half * 2), bottom + 14);
  }
}

// Shape says what colour says: a processed block is full, a waiting one hollow, a failed one full with a notch above.
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
  context.fillStyle = colours[block.group];
  if (block.group === 'waiting') {
    if (width >= 5) {
      context.strokeStyle = colours.waiting;
      context.lineWidth = 1.5;
      context.strokeRect(left + 0.75, top + 3.75, width - 1.5, layout.barPx - 7.5);
    } else {
      context.fillRect(left, top + layout.barPx / 2 - 2, width, 4);
    }
  } else {
    context.fillRect(left, top, width, layout.barPx);
  }
  if (block.group === 'error') {
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

/** How many people fill the mark of a fragment to its full height. */
const FULL_MARK_PEOPLE = 8;

// Marks of fragments that fall on the same pixels would cover each other; the tallest of each side is drawn.
function drawCounts(
  context: CanvasRenderingContext2D,
  blocks: readonly Block[],
  { view, widthPx, layout }: TimelineScene,
  barTop: number,
  colours: TimelineColours,
): void {
  const tallest = new Map<number, { entered: number; exited: number }>();
  for (const block of blocks) {
    if (block.entered + block.exited === 0) continue;
    const x = Math.round(xOf((block.startMs + block.endMs) / 2, view, widthPx) / 5) * 5;
    const mark = tallest.get(x) ?? { entered: 0, exited: 0 };
    tallest.set(x, {
      entered: Math.max(mark.entered, block.entered),
      exited: Math.max(mark.exited, block.exited),
    });
  }
  const tall = (people: number) =>
    people === 0
      ? 0
      : 2 + (Math.min(people, FULL_MARK_PEOPLE) / FULL_MARK_PEOPLE) * (layout.marksPx - 4);
  for (const [x, { entered, exited }] of tallest) {
    context.fillStyle = colours.entered;
    context.fillRect(x - 2, barTop - 1 - tall(entered), 2, tall(entered));
    context.fillStyle = colours.exited;
    context.fillRect(x, barTop - 1 - tall(exited), 2, tall(exited));
  }
}
