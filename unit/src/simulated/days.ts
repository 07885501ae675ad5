import type { SimulatedBus } from './bus.ts';
import { type BusDay, busDay } from './day.ts';

/** Simulated days, computed on first use. */
export interface Days {
  readonly seed: number;
  find(bus: SimulatedBus, day: string): BusDay;
}

/** Creates a cache of days. @param kept most cached days; two for each bus are fast */
export function createDays(seed: number, kept: number): Days {
  const made = new Map<string, BusDay>();
  return {
    seed,
    find: (bus, day) => {
      const key = `${bus.deviceId} ${day}`;
      const found = made.get(key) ?? busDay(seed, bus, day);
      // The least recently used day is evicted first.
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
