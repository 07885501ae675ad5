import { findBusInfo } from '@ridewatch/contract/buses';
import { dayOf } from '@ridewatch/contract/day';
import { useParams } from '@tanstack/react-router';
import { useEndpoint } from '../api.ts';
import { ApiError } from '../api-error.ts';
import { nowMs } from '../clock.ts';

const REFRESH_MS = 15_000;

/**
 * The bus that the address names, on the day that it names.
 * @param date as somebody may have typed it; undefined for today
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
      handled: true,
      refetchInterval: REFRESH_MS,
      // The header stays while another day of the same bus is asked for.
      placeholderData: (before) => (before?.id === busId ? before : undefined),
    },
  );
  const { data: info, error } = answer;
  const status = error instanceof ApiError ? error.status : undefined;
  const today = info ? dayOf(nowMs(), info.timezone) : '';
  return {
    typed,
    /** Undefined where there is no such bus, or nobody may see it. */
    busId: status === 404 ? undefined : busId,
    answer,
    info,
    today,
    /** A day that does not exist, or not yet. */
    isBadDay: !isDay || status === 400 || (info !== undefined && (date ?? '') > today),
  };
}
