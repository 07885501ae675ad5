import { createDayFinder, type LocalDay, type ZoneSpan } from '../../days/bus-days.ts';
import { LAP_MARGIN_MS } from '../../days/due-laps.ts';
import { hasPlace, type Sorted } from './records.ts';

/** The offset of each zone has been whole minutes since 1972. */
const MINUTE_MS = 60_000;

/**
 * The local days whose laps a batch's positions and people may change. A day in the future has no laps that the evening
 * before could change.
 * @param receivedMs the server's clock at the batch's arrival
 */
export function touchedDays(
  { positions, passengers }: Sorted,
  zones: readonly ZoneSpan[],
  receivedMs: number,
): Set<string> {
  const days = new Set<string>();
  // Records come each second, and days begin with a minute.
  const times = new Set<number>();
  for (const record of positions) if (hasPlace(record)) times.add(minuteOf(record.timeMs));
  for (const { timeMs } of passengers) times.add(minuteOf(timeMs));
  for (const shiftMs of [-LAP_MARGIN_MS, 0, LAP_MARGIN_MS]) {
    const localDay = createDayFinder(zones);
    let last: LocalDay | undefined;
    for (const timeMs of times) {
      const local = localDay(timeMs + shiftMs);
      if (local === last) continue;
      last = local;
      if (shiftMs <= 0 || local.startMs <= receivedMs) days.add(local.day);
    }
  }
  return days;
}

const minuteOf = (timeMs: number): number => Math.floor(timeMs / MINUTE_MS) * MINUTE_MS;
