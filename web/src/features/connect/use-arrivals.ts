import { type Arrivals, findArrivals } from '@ridewatch/contract/first-steps';
import type { UseQueryResult } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useEndpoint } from '../../calls/api.ts';
import type { ApiError } from '../../core/api-error.ts';
import { nowMs } from '../../core/clock.ts';

/** While a person waits, the page asks this often, ms; a hidden page does not ask. */
const ASK_MS = 2_000;
/** After this long it stops asking by itself, ms. */
const LONGEST_WAIT_MS = 15 * 60_000;
/** Up to this difference the server leaves the times of a unit's clock as they are (docs/unit-interface.md), ms. */
export const CLOCK_TOLERANCE_MS = 30_000;

interface Waiting {
  /** The arrivals until then. */
  readonly before: Arrivals;
  /** Any newer position is new, whatever its time: its unit has no credential. */
  readonly isAny: boolean;
  /** When the credential was issued by the server's clock, ms since 1970 UTC. */
  readonly issuedMs: number;
  readonly sinceMs: number;
}

/** The arrivals that a page waits for. */
export interface WaitedFor {
  readonly answer: UseQueryResult<Arrivals, ApiError>;
  readonly hasPosition: boolean;
  readonly hasPassenger: boolean;
  /** The unit was heard since the page waits. */
  readonly isHeard: boolean;
  /** It waited too long and stopped asking. */
  readonly isPaused: boolean;
  /** When the credential was issued by the server's clock, ms since 1970 UTC; undefined before. */
  readonly issuedMs: number | undefined;
  /** Waits on for what has not arrived. */
  goOn: () => void;
}

/**
 * Waits for the next position and passenger of a unit.
 * @param issuedMs when its credential was issued by the server's clock, ms since 1970 UTC; undefined: it waits for nothing
 * @param isAny a position that was kept for long counts, too: no credential is tested
 */
export function useArrivals(
  unitId: number,
  issuedMs: number | undefined,
  isAny = false,
): WaitedFor {
  const [waiting, setWaiting] = useState<Waiting>();
  const isOver = () => waiting !== undefined && nowMs() - waiting.sinceMs > LONGEST_WAIT_MS;
  const hasAll = (now: Arrivals | undefined) =>
    waiting !== undefined && isNewPosition(waiting, now) && isNewCount(waiting, now);
  const answer = useEndpoint(
    findArrivals,
    { params: { unitId } },
    {
      staleTime: 0,
      refetchInterval: ({ state }) =>
        waiting === undefined || isOver() || hasAll(state.data) ? false : ASK_MS,
    },
  );
  const { data, refetch } = answer;
  const isKnown = data !== undefined;
  useEffect(() => {
    if (issuedMs === undefined || !isKnown) return;
    // The unit may have sent more since the page was opened.
    void refetch().then(({ data: before }) => {
      if (before) setWaiting({ before, issuedMs, isAny, sinceMs: nowMs() });
    });
  }, [issuedMs, isKnown, isAny, refetch]);
  return {
    answer,
    hasPosition: waiting !== undefined && isNewPosition(waiting, data),
    hasPassenger: waiting !== undefined && isNewCount(waiting, data),
    isHeard: waiting !== undefined && data?.last_seen_at !== waiting.before.last_seen_at,
    issuedMs: waiting?.issuedMs,
    isPaused: isOver() && !hasAll(data),
    goOn: () => {
      setWaiting((now) => now && { ...now, sinceMs: nowMs() });
      void refetch();
    },
  };
}

// A position of a slow clock may bear a time before the issue; one that the unit has kept for longer proves nothing.
function isNewPosition({ before, issuedMs, isAny }: Waiting, now: Arrivals | undefined): boolean {
  if (!now?.position) return false;
  const atMs = Date.parse(now.position.at);
  const beforeMs = before.position ? Date.parse(before.position.at) : Number.NEGATIVE_INFINITY;
  if (isAny) return atMs > beforeMs;
  return atMs >= issuedMs || (atMs > beforeMs && atMs >= issuedMs - CLOCK_TOLERANCE_MS);
}

function isNewCount({ before }: Waiting, now: Arrivals | undefined): boolean {
  return now !== undefined && now.counted_at !== null && now.counted_at !== before.counted_at;
}
