import { findPosition, type TrackPoint, type VehiclePosition } from '@ridewatch/contract/laps';
import type { UseQueryResult } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useEndpoint } from '../../calls/api.ts';
import type { MapPlace } from '../../map/map-parts.ts';

/** Interval at which the position is read, ms (spec section 4). */
const POSITION_MS = 1_000;
/** More points than the bus adds between two reads of the lap. */
const LONGEST_TAIL = 120;

interface Fix extends MapPlace {
  readonly timeMs: number;
}

/**
 * Follows the position of a bus while the page is visible.
 * @param isWanted true for the lap in progress
 * @param track the known track of that lap
 * @returns the call, the position, and the points from the end of the track to it
 */
export function useLive(
  busId: number,
  isWanted: boolean,
  track: readonly TrackPoint[],
): { answer: UseQueryResult; position: VehiclePosition | undefined; tail: readonly MapPlace[] } {
  const answer = useEndpoint(
    findPosition,
    { query: { busId } },
    { enabled: isWanted, refetchInterval: POSITION_MS },
  );
  const { data } = answer;
  const [fixes, setFixes] = useState<readonly Fix[]>([]);
  useEffect(() => {
    if (!data || data.latitude === null || data.longitude === null || data.time === null) return;
    const fix = {
      latitude: data.latitude,
      longitude: data.longitude,
      timeMs: Date.parse(data.time),
    };
    setFixes((known) =>
      fix.timeMs > (known.at(-1)?.timeMs ?? 0) ? [...known, fix].slice(-LONGEST_TAIL) : known,
    );
  }, [data]);
  const last = track.at(-1);
  const fresh = last ? fixes.filter(({ timeMs }) => timeMs > Date.parse(last.time)) : [];
  return {
    answer,
    position: isWanted ? data : undefined,
    tail: isWanted && last ? [last, ...fresh] : [],
  };
}
