import { findDayTrack, type TrackPoint } from '@ridewatch/contract/laps';
import { useEndpoint } from '../calls/api.ts';

/** Interval at which the track of a running day is read, and the age from which another one is read again, ms. */
const FRESH_MS = 60_000;
const NO_TRACK: readonly TrackPoint[] = [];

/**
 * Reads the track of a bus on a local day.
 * @param isGrowing whether it is read again while it is shown
 * @returns the answer, and its track; without an answer the track is empty
 */
export function useDayTrack(busId: number, date: string, isGrowing: boolean) {
  const answer = useEndpoint(
    findDayTrack,
    { params: { busId }, query: { date } },
    { staleTime: FRESH_MS, refetchInterval: isGrowing && FRESH_MS },
  );
  return { answer, track: answer.data?.items ?? NO_TRACK };
}
