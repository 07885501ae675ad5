import type { Fragment, ManualCount } from '@ridewatch/contract/fragments';
import type { Edits } from '../edits/edits.ts';

/** What a fragment's four manual counts are, or are to be. */
export type ManualCounts = Pick<Fragment, 'entered_manual' | 'exited_manual'>;

/** Counts that are being typed, by fragment. The four of a fragment are one edit. */
export type CountEdits = Edits<number, ManualCounts>;

/** Takes one typed count; null stands for the automatic one. The others stay as they were typed, or are stored. */
export function typeCount(
  edits: CountEdits,
  segment: Fragment,
  side: keyof ManualCounts,
  who: keyof ManualCount,
  count: number | null,
): void {
  const { entered_manual, exited_manual } = edits.draftOf(segment.id)?.value ?? segment;
  const stored = { entered_manual, exited_manual };
  const value = { ...stored, [side]: { ...stored[side], [who]: count } };
  edits.type([{ key: segment.id, value, stored }]);
}
