import { addDays, dayRange } from '@ridewatch/contract/day';
import { type LapSummary, listDayLaps } from '@ridewatch/contract/laps';
import { useEndpoint } from '../calls/api.ts';
import { nowMs } from '../core/clock.ts';

const TODAY_MS = 5_000;
const PENDING_MS = 2_000;
/** A lap that is not known to have ended is driven no more after this, ms. */
const LONGEST_LAP_MS = 24 * 3_600_000;

/** Whether a bus drives a lap now; its day may be over. */
export function isDriven(lap: Pick<LapSummary, 'open' | 'end'> | undefined): boolean {
  return lap?.open === true && nowMs() - Date.parse(lap.end) < LONGEST_LAP_MS;
}

/**
 * Reads the laps of a bus's local day, without tracks; again while its last lap is driven.
 *
 * @param todayMs refresh interval of today's laps
 */
export function useDayLaps(
  busId: number,
  date: string,
  isToday: boolean,
  { isWanted = true, todayMs = TODAY_MS } = {},
) {
  return useEndpoint(
    listDayLaps,
    { query: { workplaceId: busId, date } },
    {
      enabled: isWanted,
      refetchInterval: ({ state }) => {
        const { data } = state;
        const isLive = isToday || isDriven(data?.items.at(-1));
        // Today new data wait most of the time; hurry only for the first laps.
        if (data?.pending && (!isLive || data.items.length === 0)) return PENDING_MS;
        return isLive ? todayMs : false;
      },
    },
  );
}

/**
 * Reads the lap of the day before that was driven past midnight, while today has no lap of its own.
 * @param isEmpty whether today is known to have no laps yet
 */
export function useLapPastMidnight(
  busId: number,
  today: string,
  zone: string,
  isEmpty: boolean,
): LapSummary | undefined {
  const before = useDayLaps(busId, addDays(today, -1), false, { isWanted: isEmpty });
  const last = isEmpty ? before.data?.items.at(-1) : undefined;
  if (last === undefined) return undefined;
  const isPast = Date.parse(last.end) > dayRange(today, zone).startMs;
  return isDriven(last) || isPast ? last : undefined;
}
