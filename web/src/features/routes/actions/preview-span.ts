import { countDays } from '@ridewatch/contract/day';
import type { ResponseOf } from '@ridewatch/contract/endpoint';
import type { recalculateLaps } from '@ridewatch/contract/lap-recalculation';

/** The answer of a preview of a recalculation. */
export type Preview = Pick<ResponseOf<typeof recalculateLaps>, 'items' | 'failed' | 'looked_until'>;

/**
 * Number of days to recalculate after a preview: those that change, or all if the preview did not reach the end.
 * @returns 0 if there is nothing to do
 */
export function daysToBegin(preview: Preview, from: string, to: string): number {
  return preview.looked_until === to ? preview.items.length : countDays(from, to);
}
