// Sends the days before the history while the fleet runs: one at a time and evenly over a period, so that server and
// machine have time for the present. The newest days go first, because statistics of the last month are opened first.
import { addDays, dayOf } from '@ridewatch/contract/day';
import { UplinkError } from '../uplink/connection.ts';
import type { Timers } from '../uplink/timers.ts';
import { createPace } from './pace.ts';
import type { SimulatedUnit } from './simulated-unit.ts';

/** How often units with broken links are looked at, ms. */
const LINK_EVERY_MS = 2000;
/** Days that are late come at this share of their distance: they catch up, and the machine still has time. */
const CATCH_UP = 0.7;

export interface EarlierOptions {
  /** Start of a unit's first day to send, ms since 1970 UTC. */
  firstMs: (unit: SimulatedUnit) => number;
  /** Whether a unit waits until all others have sent their days. */
  isLast: (unit: SimulatedUnit) => boolean;
  /** The time over which the days are spread, ms; a server that is slow throughout takes longer. */
  withinMs: number;
  timers: Timers;
  signal: AbortSignal;
  /** Called after each stored day of a bus. */
  onDay: (unit: SimulatedUnit, day: string) => Promise<void>;
  onFailure: (unit: SimulatedUnit, error: Error) => void;
}

/**
 * Sends the days of all units between `firstMs` and what they have sent. A unit whose batch the server refuses is left
 * out; the next run goes on with it.
 * @returns the number of stored records
 */
export async function sendEarlierDays(
  units: readonly SimulatedUnit[],
  { firstMs, isLast, withinMs, timers, signal, onDay, onFailure }: EarlierOptions,
): Promise<number> {
  let queue = units
    .flatMap((unit) => listDays(unit, firstMs(unit)).map((day) => ({ unit, day })))
    .toSorted(
      (a, b) =>
        Number(isLast(a.unit)) - Number(isLast(b.unit)) || Date.parse(b.day) - Date.parse(a.day),
    );
  const everyMs = withinMs / Math.max(1, queue.length);
  const pace = createPace(timers, everyMs, CATCH_UP * everyMs);
  let stored = 0;
  while (queue.length > 0 && !signal.aborted) {
    const next = queue.find(({ unit }) => unit.isLinked(timers.nowMs()));
    if (next === undefined) {
      await timers.sleep(LINK_EVERY_MS, signal);
      continue;
    }
    const { unit, day } = next;
    await pace(signal);
    const { sentFromMs } = unit;
    try {
      stored += await unit.sendDayBefore(firstMs(unit), signal);
      if (signal.aborted) break;
      // A unit of another protocol without an answer sends it later.
      if (unit.sentFromMs === sentFromMs) continue;
      await onDay(unit, day);
      queue = queue.filter((one) => one !== next);
    } catch (error) {
      if (!(error instanceof UplinkError)) throw error;
      onFailure(unit, error);
      queue = queue.filter((one) => one.unit !== unit);
    }
  }
  return stored;
}

// The local days of a unit that are not sent, the newest first.
function listDays({ bus, sentFromMs }: SimulatedUnit, firstMs: number): string[] {
  const first = dayOf(firstMs, bus.zone);
  const days: string[] = [];
  for (let day = before(dayOf(sentFromMs, bus.zone)); day >= first; day = before(day)) {
    days.push(day);
  }
  return days;
}

function before(day: string): string {
  return addDays(day, -1);
}
