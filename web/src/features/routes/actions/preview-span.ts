import type { ResponseOf } from '@ridewatch/contract/endpoint';
import type { recalculateLaps } from '@ridewatch/contract/lap-recalculation';

/** What a preview of a recalculation found. */
export type Preview = Pick<ResponseOf<typeof recalculateLaps>, 'items' | 'failed' | 'looked_until'>;

const DAY_MS = 86_400_000;

/** How many days there are from one to another, both included. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1;
}

/**
 * How many days may be recalculated after a preview of them: those that change, or all where some were not looked at.
 * @returns 0 where there is nothing to do
 */
export function daysToBegin(preview: Preview, from: string, to: string): number {
  return preview.looked_until === to ? preview.items.length : daysBetween(from, to);
}
