import { isInProgress } from '@ridewatch/contract/fragment-states';
import type { Fragment } from '@ridewatch/contract/fragments';

const TODAY_MS = 5_000;
const MOVING_MS = 1_500;

/**
 * Interval at which a day's fragments are read again, ms: always today; on other days while a fragment is in progress.
 * @param isExpecting a request exists whose fragments do not exist yet
 * @returns false if nothing will change
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
