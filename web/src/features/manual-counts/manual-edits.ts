import type { Fragment, ManualCount } from '@ridewatch/contract/fragments';
import type { Edits } from '../../edits/edits.ts';

/** The four manual counts of a fragment, as stored. */
export type ManualCounts = Pick<Fragment, 'entered_manual' | 'exited_manual'>;

/** A count as typed: null where the automatic one stands, the text itself if it is no whole number. */
export type TypedCount = number | null | string;

/** The four manual counts of a fragment, as typed. */
export type TypedCounts = Record<keyof ManualCounts, Record<keyof ManualCount, TypedCount>>;

/** Edits of manual counts by fragment id. The four counts of a fragment are one edit. */
export type CountEdits = Edits<number, TypedCounts>;

/**
 * Reads a typed count. Letters are left out, because they are keys of the page; a fraction or a sign stays as text, so
 * that 5.7 does not become 57.
 */
export function readCount(text: string): TypedCount {
  const kept = text.replace(/[^\d.,+\-−]/g, '');
  if (kept === '') return null;
  return /^\d+$/.test(kept) ? Number(kept) : kept;
}

/** Whether all counts are whole numbers or empty, so that they can be stored. */
export function areWhole(counts: TypedCounts): counts is ManualCounts {
  return countsOf(counts).every((count) => typeof count !== 'string');
}

/** Whether the automatic count stands everywhere. */
export function areEmpty(counts: TypedCounts): boolean {
  return countsOf(counts).every((count) => count === null);
}

/** Whether two have the same counts. */
export function areSameCounts(one: TypedCounts, other: TypedCounts): boolean {
  const others = countsOf(other);
  return countsOf(one).every((count, index) => count === others[index]);
}

const countsOf = ({ entered_manual, exited_manual }: TypedCounts): TypedCount[] => [
  entered_manual.adult,
  entered_manual.kids,
  exited_manual.adult,
  exited_manual.kids,
];

/** Takes one typed count; the other three keep their typed or stored values. */
export function typeCount(
  edits: CountEdits,
  fragment: Fragment,
  side: keyof ManualCounts,
  who: keyof ManualCount,
  count: TypedCount,
): void {
  const { entered_manual, exited_manual } = edits.draftOf(fragment.id)?.value ?? fragment;
  const stored = { entered_manual, exited_manual };
  const value = { ...stored, [side]: { ...stored[side], [who]: count } };
  edits.type([{ key: fragment.id, value, stored }]);
}
