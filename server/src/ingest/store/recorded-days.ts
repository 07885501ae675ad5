import { Cache } from '../../core/cache.ts';

/** Days of buses; a bus on the road needs one or two. */
const MOST_DAYS = 20_000;

/** The days of buses that certainly have a record of the calculator: a record is never deleted. */
export interface RecordedDays {
  /** Whether all of these local days of a bus are known. */
  hasAll(busId: number, days: Iterable<string>): boolean;
  /** Call it after the commit of the transaction that created the records or found them. */
  add(busId: number, days: Iterable<string>): void;
}

/** Creates the cache of one process, so that the usual batch neither writes nor reads records. */
export function createRecordedDays(): RecordedDays {
  const known = new Cache<string, true>({ most: MOST_DAYS });
  return {
    hasAll: (busId, days) => [...days].every((day) => known.get(`${busId}:${day}`) === true),
    add: (busId, days) => {
      for (const day of days) known.set(`${busId}:${day}`, true);
    },
  };
}
