import { dayOf, FALLBACK_ZONE } from '@ridewatch/contract/day';
import { useMemo } from 'react';
import { nowMs } from '../core/clock.ts';
import { useBuses } from './use-buses.ts';

/**
 * The present local day of the buses that the user sees: the latest where they are in several zones.
 * @returns a local day; that of FALLBACK_ZONE until the buses are known
 */
export function useToday(): string {
  const buses = useBuses({ isPaused: true }).data?.items;
  const zones = useMemo(() => [...new Set(buses?.map(({ timezone }) => timezone))], [buses]);
  const days = zones.map((zone) => dayOf(nowMs(), zone)).sort();
  return days.at(-1) ?? dayOf(nowMs(), FALLBACK_ZONE);
}
