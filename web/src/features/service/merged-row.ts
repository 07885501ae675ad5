import type { Camera } from '@ridewatch/contract/buses';
import type { Fragment } from '@ridewatch/contract/fragments';
import type { Block, TimelineRow } from '../../timeline/blocks.ts';
import { kindOf } from '../../timeline/rows.ts';

/** Largest gap between fragments of one recording, ms. */
const TOUCHING_MS = 1000;

/**
 * Makes one timeline row of a camera's day; consecutive fragments that look alike become one block.
 * @param fragments by start
 * @param selectedId has a block of its own, so that it is visible
 */
export function mergedRow(
  camera: Camera,
  fragments: readonly Fragment[],
  selectedId: number | undefined,
): TimelineRow {
  const blocks: Block[] = [];
  let before: Fragment | undefined;
  for (const fragment of fragments) {
    const startMs = Date.parse(fragment.start_time);
    const endMs = Date.parse(fragment.end_time);
    const kind = kindOf(fragment, camera.live);
    const last = blocks.at(-1);
    const isApart = fragment.id === selectedId || before?.id === selectedId;
    if (last && !isApart && last.kind === kind && startMs - last.endMs <= TOUCHING_MS) {
      last.endMs = Math.max(last.endMs, endMs);
    } else {
      blocks.push({ id: fragment.id, startMs, endMs, kind, entered: 0, exited: 0 });
    }
    before = fragment;
  }
  return { id: camera.id, label: camera.name, blocks, ticks: [] };
}

/**
 * The fragment that contains a moment, else the nearest one within the slack.
 * @param fragments by start
 */
export function fragmentAt(
  fragments: readonly Fragment[],
  momentMs: number,
  slackMs: number,
): Fragment | undefined {
  let nearest: Fragment | undefined;
  let nearestMs = Number.POSITIVE_INFINITY;
  for (const fragment of fragments) {
    const beforeMs = Date.parse(fragment.start_time) - momentMs;
    const behindMs = momentMs - Date.parse(fragment.end_time);
    const awayMs = Math.max(beforeMs, behindMs, 0);
    if (awayMs <= slackMs && awayMs < nearestMs) {
      nearest = fragment;
      nearestMs = awayMs;
    }
  }
  return nearest;
}
