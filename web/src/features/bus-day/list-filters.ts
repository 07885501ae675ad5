import {
  ATTENTION_THRESHOLD,
  isFinished,
  timelineGroup,
} from '@ridewatch/contract/fragment-states';
import type { Count, Fragment, ManualCount } from '@ridewatch/contract/fragments';
import { isCancelled } from '../../fragment/state-text.ts';

/** The filters of the list of fragments, in order. */
export const listFilters = ['review', 'differs', 'error'] as const;

/**
 * - `review`: waits for review, as in the review queue.
 * - `differs`: somebody counted otherwise than the counter.
 * - `error`: the video could not be had; not those whose request somebody cancelled.
 */
export type ListFilter = (typeof listFilters)[number];

const matches: Readonly<Record<ListFilter, (fragment: Fragment) => boolean>> = {
  review: ({ reviewed_at, max_objects_count, status }) =>
    reviewed_at === null && max_objects_count > ATTENTION_THRESHOLD && isFinished(status, false),
  differs: ({ entered, entered_manual, exited, exited_manual }) =>
    differ(entered, entered_manual) || differ(exited, exited_manual),
  error: (fragment) => timelineGroup(fragment.status, false) === 'error' && !isCancelled(fragment),
};

const differ = (automatic: Count, manual: ManualCount) =>
  (manual.adult ?? automatic.adult) !== automatic.adult ||
  (manual.kids ?? automatic.kids) !== automatic.kids;

/** Whether a fragment passes a filter. */
export function passes(fragment: Fragment, filter: ListFilter): boolean {
  return matches[filter](fragment);
}

/** The filter that an address names; undefined for all fragments. */
export function filterIn(named: string | undefined): ListFilter | undefined {
  return listFilters.find((filter) => filter === named);
}
