import type { Fragment, ManualCount } from '@ridewatch/contract/fragments';
import type { Edits } from '../edits/edits.ts';

/** The four manual counts of a fragment. */
export type ManualCounts = Pick<Fragment, 'entered_manual' | 'exited_manual'>;

/** Edits of manual counts by fragment id. The four counts of a fragment are one edit. */
export type CountEdits = Edits<number, ManualCounts>;

/** Takes one typed count; null restores the automatic one. The other three keep their typed or stored values. */
export function typeCount(
  edits: CountEdits,
  fragment: Fragment,
  side: keyof ManualCounts,
  who: keyof ManualCount,
  count: number | null,
): void {
  const { entered_manual, exited_manual } = edits.draftOf(fragment.id)?.value ?? fragment;
  const stored = { entered_manual, exited_manual };
  const value = { ...stored, [side]: { ...stored[side], [who]: count } };
  edits.type([{ key: fragment.id, value, stored }]);
}
