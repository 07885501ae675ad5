import { addDays, dayOf } from '@ridewatch/contract/day';
import type { SimulatedBus } from './bus.ts';
import type { Fragment } from './day.ts';
import type { Days } from './days.ts';

const LAST_MS = 3_600_000;
/** Least fragments of the bus of yesterday, so that there is enough to see; and most clips, because they take time. */
const YESTERDAY_LEAST = 150;
const MOST_CLIPS = 400;

/**
 * Chooses the clips that the demo makes beforehand: the last hour of all buses, and yesterday of the bus with the
 * fewest fragments, but at least YESTERDAY_LEAST. Beyond MOST_CLIPS only the latest of the last hour stay.
 * @returns whether a fragment is among them
 */
export function planClips(
  buses: readonly SimulatedBus[],
  days: Days,
  nowMs: number,
): (bus: SimulatedBus, day: string, fragment: Fragment) => boolean {
  const yesterdayOf = (bus: SimulatedBus): string => addDays(dayOf(nowMs, bus.zone), -1);
  const counted = buses
    .map((bus) => ({ bus, count: days.find(bus, yesterdayOf(bus)).fragments.length }))
    .sort((a, b) => a.count - b.count);
  const chosen = counted.find(({ count }) => count >= YESTERDAY_LEAST) ?? counted.at(-1);
  const latest = buses
    .flatMap((bus) =>
      [yesterdayOf(bus), dayOf(nowMs, bus.zone)]
        .flatMap((day) => days.find(bus, day).fragments)
        .map(({ endMs }) => endMs),
    )
    .filter((endMs) => endMs > nowMs - LAST_MS && endMs <= nowMs)
    .sort((a, b) => b - a);
  const room = Math.max(0, MOST_CLIPS - (chosen?.count ?? 0));
  const fromMs = latest.length > room ? (latest[room] ?? nowMs) : nowMs - LAST_MS;
  return (bus, day, { endMs }) =>
    endMs > fromMs || (bus === chosen?.bus && day === yesterdayOf(bus));
}
