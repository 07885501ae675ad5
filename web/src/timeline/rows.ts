import type { Camera } from '@ridewatch/contract/buses';
import { type FragmentStatus, timelineGroup } from '@ridewatch/contract/fragment-states';
import type { Fragment } from '@ridewatch/contract/fragments';
import { isDeleted } from '../fragment/deleted-hint.ts';
import { isCancelled } from '../fragment/state-text.ts';
import type { Block, BlockKind, Tick, TimelineRow } from './blocks.ts';

/**
 * The kind of a block by its fragment's state: its timeline group, but a fragment that is only on the registrar has a
 * kind of its own.
 */
export function blockKind(status: FragmentStatus, isServiceCamera: boolean): BlockKind {
  return status === 'LIVE' ? 'live' : timelineGroup(status, isServiceCamera);
}

/** The kind of a fragment's block, which may be deleted or cancelled, too. */
export function kindOf(fragment: Fragment, isServiceCamera: boolean): BlockKind {
  if (isDeleted(fragment)) return 'deleted';
  return isCancelled(fragment) ? 'cancelled' : blockKind(fragment.status, isServiceCamera);
}

/** Makes a timeline row for each camera, with its fragments by start and the moments at which people were counted. */
export function timelineRows(
  cameras: readonly Camera[],
  fragments: readonly Fragment[],
): TimelineRow[] {
  return cameras.map((camera) => {
    const blocks: Block[] = [];
    const ticks: Tick[] = [];
    for (const fragment of fragments) {
      if (fragment.cameraId !== camera.id) continue;
      const block: Block = {
        id: fragment.id,
        startMs: Date.parse(fragment.start_time),
        endMs: Date.parse(fragment.end_time),
        kind: kindOf(fragment, camera.live),
        entered: fragment.entered.adult + fragment.entered.kids,
        exited: fragment.exited.adult + fragment.exited.kids,
      };
      blocks.push(block);
      for (const { offset_ms, entered, exited } of fragment.events ?? []) {
        ticks.push({ momentMs: block.startMs + offset_ms, entered, exited, block });
      }
    }
    return {
      id: camera.id,
      label: camera.name,
      blocks,
      ticks: ticks.sort((a, b) => a.momentMs - b.momentMs),
    };
  });
}
