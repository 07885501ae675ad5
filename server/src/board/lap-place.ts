import type { BoardLap } from '@ridewatch/contract/board';
import { roundTo } from '@ridewatch/contract/round';
import type { LastLap } from '../laps/stops-and-loads.ts';

const WHOLE = 100;

/**
 * The place of a bus on its lap, by stops: each way takes one half, a circular route the whole.
 * @param nowMs ms since 1970 UTC
 * @returns null without stops of a route, and for an ended lap of an earlier day
 */
export function placeOf(lap: LastLap, nowMs: number): BoardLap | null {
  const { number, open, present, stops, forward, reached, stop, next, left, waitsSince } = lap;
  if (!present || stops === 0) return null;
  const back = stops - forward;
  const turn = back > 0 && forward > 0 ? WHOLE / 2 : null;
  // Half a step further while the bus is between two stops.
  const at = reached === null ? 0 : reached + (left && open && next !== null ? 0.5 : 0);
  return {
    number,
    ended: !open,
    percent: roundTo(shareOf(at, forward, back), 1),
    turn_percent: turn,
    stop,
    next: left && open ? next : null,
    as_of: (waitsSince ?? new Date(nowMs)).toISOString(),
  };
}

function shareOf(at: number, forward: number, back: number): number {
  if (forward === 0 || back === 0) return within(at, forward + back) * WHOLE;
  if (at < forward) return (within(at, forward) * WHOLE) / 2;
  return WHOLE / 2 + (within(at - forward, back) * WHOLE) / 2;
}

// The share of a way at a stop, counted from 0.
function within(at: number, stops: number): number {
  return stops < 2 ? 1 : Math.min(1, at / (stops - 1));
}
