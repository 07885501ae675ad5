// Sums of events and of the differences by manual counts.
import type { HourTraffic } from '@ridewatch/contract/fragments';
import type { Difference } from './effective.ts';
import { type Counts, countOf, type DoorEvent, peopleIn } from './events.ts';

/** Effective counts: the automatic ones of events, and the differences by manual counts. */
export function effectiveOf(events: readonly DoorEvent[], differences: readonly Counts[]): Counts {
  const counts = countOf(events);
  for (const side of ['entered', 'exited'] as const) {
    for (const { [side]: change } of differences) {
      counts[side].adult += change.adult;
      counts[side].kids += change.kids;
    }
  }
  return counts;
}

/** People by the unit or the video, and with manual counts. */
export function totalsOf(events: readonly DoorEvent[], differences: readonly Counts[]) {
  const [automatic, counted] = [countOf(events), effectiveOf(events, differences)];
  return {
    totalEntered: peopleIn(automatic.entered),
    totalExited: peopleIn(automatic.exited),
    totalEnteredManual: peopleIn(counted.entered),
    totalExitedManual: peopleIn(counted.exited),
  };
}

/**
 * Effective counts by hour.
 * @param hours their starts, ascending, ms since 1970 UTC; what lies before the first is left out
 */
export function hourlyOf(
  hours: readonly number[],
  events: readonly DoorEvent[],
  differences: readonly Difference[],
): HourTraffic[] {
  const rows = hours.map((hourMs) => ({
    start_time: new Date(hourMs).toISOString(),
    entered: 0,
    exited: 0,
  }));
  const rowAt = (timeMs: number) => rows[hours.findLastIndex((hourMs) => hourMs <= timeMs)];
  for (const { timeMs, direction, count } of events) {
    const row = rowAt(timeMs);
    if (row !== undefined) row[direction] += count;
  }
  for (const { timeMs, entered, exited } of differences) {
    const row = rowAt(timeMs);
    if (row === undefined) continue;
    row.entered += peopleIn(entered);
    row.exited += peopleIn(exited);
  }
  return rows;
}
