import { dayOf } from '@ridewatch/contract/day';
import type { Days } from './days.ts';
import { HISTORY_EVERY_MS } from './records.ts';
import type { SimulatedUnit } from './simulated-unit.ts';

/** Units that send their history at the same time: enough to keep the server busy without overloading it. */
const AT_ONCE = 4;

export interface HistoryOptions {
  days: Days;
  /** End of a unit's history, ms since 1970 UTC. */
  untilMs: (unit: SimulatedUnit) => number;
  signal: AbortSignal;
  /** Called after each stored day of a bus, with the finished share of the whole history. */
  onDay: (unit: SimulatedUnit, day: string, share: number) => Promise<void>;
}

/**
 * Sends the history of all units, day by day, as fast as the server stores it.
 * @returns the number of stored records
 */
export async function sendHistory(
  units: readonly SimulatedUnit[],
  { days, untilMs, signal, onDay }: HistoryOptions,
): Promise<number> {
  const wholeMs = units.reduce((sum, unit) => sum + leftMs(unit, untilMs(unit)), 0);
  const queue = [...units];
  let stored = 0;
  let doneMs = 0;
  const work = async (): Promise<void> => {
    for (let unit = queue.shift(); unit !== undefined; unit = queue.shift()) {
      while (unit.sentUntilMs < untilMs(unit) && !signal.aborted) {
        const fromMs = unit.sentUntilMs;
        const day = dayOf(fromMs, unit.bus.zone);
        const { endMs } = days.find(unit.bus, day);
        const toMs = Math.min(endMs, untilMs(unit));
        const count = await unit.sendUntil(toMs, HISTORY_EVERY_MS, signal);
        stored += count;
        doneMs += unit.sentUntilMs - fromMs;
        // Its server of another protocol does not answer. It goes on in the present.
        if (unit.sentUntilMs === fromMs) break;
        await onDay(unit, day, doneMs / Math.max(1, wholeMs));
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return stored;
}

function leftMs(unit: SimulatedUnit, untilMs: number): number {
  return Math.max(0, untilMs - unit.sentUntilMs);
}
