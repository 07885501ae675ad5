import { type BusInfo, findBusInfo } from '@ridewatch/contract/buses';
import { dayOf } from '@ridewatch/contract/day';
import { useParams } from '@tanstack/react-router';
import { useRef } from 'react';
import { useEndpoint } from '../calls/api.ts';
import { ApiError } from '../core/api-error.ts';
import { nowMs } from '../core/clock.ts';

const REFRESH_MS = 15_000;

/**
 * The bus and the day in the address.
 * @param date as typed, perhaps invalid; undefined for today
 */
export function useNamedBus(date: string | undefined) {
  const { busId: typed = '' } = useParams({ strict: false });
  const busId = /^[1-9]\d{0,15}$/.test(typed) ? Number(typed) : undefined;
  const isDay = date === undefined || /^\d{4}-\d\d-\d\d$/.test(date);
  const answer = useEndpoint(
    findBusInfo,
    { params: { busId: busId ?? 0 }, query: date === undefined ? {} : { date } },
    {
      enabled: busId !== undefined && isDay,
      // An unknown bus leads to the bus list, a day that is none to today.
      isQuiet: ({ status }) => status === 404 || status === 400,
      refetchInterval: REFRESH_MS,
      // Keep the header while another day of the same bus loads.
      placeholderData: (before) => (before?.id === busId ? before : undefined),
    },
  );
  const { data, error } = answer;
  // A day that cannot be loaded keeps the plate and the tabs of the bus.
  const last = useRef<BusInfo>(undefined);
  if (data) last.current = data;
  const info = last.current?.id === busId ? last.current : undefined;
  const status = error instanceof ApiError ? error.status : undefined;
  const today = info ? dayOf(nowMs(), info.timezone) : '';
  return {
    typed,
    /** Undefined if there is no such bus, or the user may not see it. */
    busId: status === 404 ? undefined : busId,
    answer,
    /** The bus, also while its state on the day is not known. */
    info,
    /** The bus is known, but not as it was on the day, because loading that failed. */
    isWithoutDay: info !== undefined && data === undefined && answer.isError,
    today,
    /** The day is invalid or in the future. */
    isBadDay: !isDay || status === 400 || (info !== undefined && (date ?? '') > today),
  };
}
