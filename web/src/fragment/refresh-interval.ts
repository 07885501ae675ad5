import { isInProgress } from '@ridewatch/contract/fragment-states';
import type { Fragment } from '@ridewatch/contract/fragments';

const TODAY_MS = 5_000;
const MOVING_MS = 1_500;

/**
 * How soon the fragments of a day are asked for again, ms: today by itself, any day while one is on its way.
 * @param isExpecting more is asked for that is no fragment yet
 * @returns false when nothing changes
 */
export function refreshInterval(
  fragments: readonly Fragment[] | undefined,
  isToday: boolean,
  isExpecting = false,
): number | false {
  const isMoving = fragments?.some(({ status }) => isInProgress(status) && status !== 'ADDING');
  if (isMoving || isExpecting) return MOVING_MS;
  return isToday ? TODAY_MS : false;
}
