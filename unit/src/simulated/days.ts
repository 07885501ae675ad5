import type { SimulatedBus } from './bus.ts';
import { type BusDay, busDay } from './day.ts';

/** Days that are made when they are first asked for. */
export interface Days {
  readonly seed: number;
  find(bus: SimulatedBus, day: string): BusDay;
}

/** @param kept how many days stay at hand; enough for two days of each bus is quick */
export function createDays(seed: number, kept: number): Days {
  const made = new Map<string, BusDay>();
  return {
    seed,
    find: (bus, day) => {
      const key = `${bus.deviceId} ${day}`;
      const found = made.get(key) ?? busDay(seed, bus, day);
      // Asked for last, forgotten last.
      made.delete(key);
      made.set(key, found);
      for (const oldest of made.keys()) {
        if (made.size <= kept) break;
        made.delete(oldest);
      }
      return found;
    },
  };
}
