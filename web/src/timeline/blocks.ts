import type { TimeView } from './time-view.ts';

/** How a block looks: one of the timeline groups, or a state that looks different. */
export type BlockKind = 'processed' | 'waiting' | 'error' | 'live' | 'deleted' | 'cancelled';

/** A video on a timeline. */
export interface Block {
  id: number;
  startMs: number;
  endMs: number;
  kind: BlockKind;
  entered: number;
  exited: number;
}

/** A moment in a block at which people were counted. */
export interface Tick {
  momentMs: number;
  entered: number;
  exited: number;
  block: Block;
}

/** A camera's blocks by start, and its ticks in order of time. */
export interface TimelineRow {
  id: number;
  label: string;
  blocks: readonly Block[];
  ticks: readonly Tick[];
}

/** With more blocks than this in a row, all rows are flat (spec section 9). */
export const CONDENSED_ABOVE = 20;

/** Whether a row has too many blocks for the normal height. */
export function isCondensed(rows: readonly TimelineRow[]): boolean {
  return rows.some((row) => row.blocks.length > CONDENSED_ABOVE);
}

// Index of the first item at the moment or later; binary search.
function firstFrom<T>(
  items: readonly T[],
  momentMs: number,
  momentOf: (item: T) => number,
): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const item = items[middle];
    if (item !== undefined && momentOf(item) < momentMs) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Index of the first block that starts at the moment or later. */
function firstStartingFrom(blocks: readonly Block[], momentMs: number): number {
  return firstFrom(blocks, momentMs, ({ startMs }) => startMs);
}

/** The ticks of a row within the view. */
export function ticksWithin(ticks: readonly Tick[], view: TimeView): readonly Tick[] {
  const momentOf = ({ momentMs }: Tick) => momentMs;
  return ticks.slice(
    firstFrom(ticks, view.startMs, momentOf),
    firstFrom(ticks, view.endMs, momentOf),
  );
}

/** The tick nearest to a moment, within the slack. */
export function tickAt(
  ticks: readonly Tick[],
  momentMs: number,
  slackMs: number,
): Tick | undefined {
  let nearest: Tick | undefined;
  const near = { startMs: momentMs - slackMs, endMs: momentMs + slackMs };
  for (const tick of ticksWithin(ticks, near)) {
    const isNearer =
      nearest === undefined ||
      Math.abs(tick.momentMs - momentMs) < Math.abs(nearest.momentMs - momentMs);
    if (isNearer) nearest = tick;
  }
  return nearest;
}

// Blocks may overlap, so a block that starts before the view can reach into it. The longest block of a row bounds the
// search.
const longest = new WeakMap<readonly Block[], number>();

function longestMs(blocks: readonly Block[]): number {
  const known = longest.get(blocks);
  if (known !== undefined) return known;
  const found = blocks.reduce((most, block) => Math.max(most, block.endMs - block.startMs), 0);
  longest.set(blocks, found);
  return found;
}

/** The blocks of a row that overlap the view, by start. */
export function blocksWithin(blocks: readonly Block[], view: TimeView): readonly Block[] {
  const from = firstStartingFrom(blocks, view.startMs - longestMs(blocks));
  const to = firstStartingFrom(blocks, view.endMs);
  return blocks.slice(from, to).filter((block) => block.endMs > view.startMs);
}

/**
 * The block at a moment: the latest-starting one that contains it, else the nearest within the slack.
 * @param slackMs how far beside a block still counts, so that narrow blocks can be hit
 * @returns undefined if there is none
 */
export function blockAt(
  blocks: readonly Block[],
  momentMs: number,
  slackMs: number,
): Block | undefined {
  const from = firstStartingFrom(blocks, momentMs - longestMs(blocks) - slackMs);
  let nearest: Block | undefined;
  let nearestGap = Number.POSITIVE_INFINITY;
  for (let index = from; index < blocks.length; index += 1) {
    const block = blocks[index];
    if (block === undefined || block.startMs > momentMs + slackMs) break;
    const gap =
      momentMs < block.startMs
        ? block.startMs - momentMs
        : Math.max(0, momentMs - Math.max(block.startMs, block.endMs - 1));
    if (gap <= slackMs && (gap < nearestGap || gap === 0)) {
      nearest = block;
      nearestGap = gap;
    }
  }
  return nearest;
}
