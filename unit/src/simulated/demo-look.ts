// The demo's first look at its buses.
import { BusList, listBuses } from '@ridewatch/contract/buses';
import { dayOf } from '@ridewatch/contract/day';
import { listDayLaps } from '@ridewatch/contract/laps';
import type { Administrator } from '../fleet-set-up.ts';

const REFUSED = 'The laps of the demo could not be requested';

/**
 * Looks at each bus's day, so that the server computes its laps within seconds. Those of buses that nobody looks at take
 * minutes, and until then the board does not say where the bus is.
 * @param nowMs a moment of the day, ms since 1970 UTC
 * @throws SetUpError when the server refuses it
 */
export async function lookAtBuses(administrator: Administrator, nowMs: number): Promise<void> {
  const get = (path: string) => administrator.call('GET', path, undefined, REFUSED);
  const { items } = BusList.parse(await get(listBuses.path));
  for (const { id, timezone } of items) {
    await get(`${listDayLaps.path}?workplaceId=${id}&date=${dayOf(nowMs, timezone)}`);
  }
}
