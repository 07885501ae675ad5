import type { SegmentGroup } from '@ridewatch/contract/segment-states';
import type { TimeView } from './time-view.ts';

/** One piece of video on a timeline. */
export interface Block {
  id: number;
  startMs: number;
  endMs: number;
  group: SegmentGroup;
  entered: number;
  exited: number;
}

/** One camera's blocks, by start. */
export interface TimelineRow {
  id: number;
  label: string;
  blocks: readonly Block[];
}

/** More periods than this in one row, and the rows are drawn flat (spec section 9). */
export const CONDENSED_ABOVE = 20;

/** Whether the rows are too full for their ordinary height. */
export function isCondensed(rows: readonly TimelineRow[]): boolean {
  return rows.some((row) => row.blocks.length > CONDENSED_ABOVE);
}

/** Index of the first block that starts at the moment or later; binary search. */
export function firstStartingFrom(blocks: readonly Block[], momentMs: number): number {
  let low = 0;
  let high = blocks.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((blocks[middle]?.startMs ?? 0) < momentMs) low = middle + 1;
    else high = middle;
  }
  return low;
}

// Blocks may overlap, so the one before the first visible start can still reach into the view; the longest block of
// a row bounds how far back to look.
const longest = new WeakMap<readonly Block[], number>();

function longestMs(blocks: readonly Block[]): number {
  const known = longest.get(blocks);
  if (known !== undefined) return known;
  const found = blocks.reduce((most, block) => Math.max(most, block.endMs - block.startMs), 0);
  longest.set(blocks, found);
  return found;
}

/** The blocks of a row that touch the view, by start. */
export function blocksWithin(blocks: readonly Block[], view: TimeView): readonly Block[] {
  const from = firstStartingFrom(blocks, view.startMs - longestMs(blocks));
  const to = firstStartingFrom(blocks, view.endMs);
  return blocks.slice(from, to).filter((block) => block.endMs > view.startMs);
}

/**
 * The block under a moment: the latest-starting one that contains it, else the nearest within the slack.
 * @param slackMs how far beside a block still counts, so that narrow blocks can be hit
 * @returns undefined when nothing is near
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
