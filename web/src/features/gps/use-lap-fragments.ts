import { addDays, dayOf } from '@ridewatch/contract/day';
import type { Lap } from '@ridewatch/contract/laps';
import { useMemo } from 'react';
import { useDayFragments } from '../../fragment/use-day-fragments.ts';
import { fragmentsOfLap, type LapFragments } from './lap-fragments.ts';

/** Reads the fragments of a lap's day, and of the next day for a lap that ends there. */
export function useLapFragments(
  busId: number,
  date: string,
  today: string,
  zone: string,
  lap: Lap | undefined,
): LapFragments & { isLoading: boolean; isError: boolean; retry: () => void } {
  const nextDate = addDays(date, 1);
  const endsNext = lap !== undefined && dayOf(Date.parse(lap.end), zone) >= nextDate;
  const day = useDayFragments(busId, date, date === today);
  const next = useDayFragments(busId, nextDate, nextDate === today, endsNext);
  const found = useMemo(() => {
    const late = (endsNext && next.data?.segments) || [];
    return fragmentsOfLap([...(day.data?.segments ?? []), ...late], lap);
  }, [day.data, next.data, endsNext, lap]);
  return {
    ...found,
    isLoading: day.isPending,
    isError: (!day.data && day.isError) || (!next.data && next.isError),
    retry: () => {
      void day.refetch();
      if (endsNext) void next.refetch();
    },
  };
}
