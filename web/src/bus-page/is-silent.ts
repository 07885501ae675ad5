import { type BusInfo, SILENT_AFTER_MS } from '@ridewatch/contract/buses';
import { nowMs } from '../core/clock.ts';

/** Whether nobody hears the unit of a bus at this moment. */
export function isSilent({ last_seen_at }: Pick<BusInfo, 'last_seen_at'>): boolean {
  return nowMs() - (last_seen_at === null ? 0 : Date.parse(last_seen_at)) > SILENT_AFTER_MS;
}
