// A record of any protocol before it goes to the store: its values are those that the store takes.
import type { ToldRecord } from '@ridewatch/server/src/ingest/by-id/store-told.ts';

const MOST_PEOPLE = 0x7fff;

/**
 * Checks the values of a record.
 * @param leastCount of people; 0 where a counter's reading counts
 * @throws Error for one that the store does not take
 */
export function checkRecord(record: ToldRecord, leastCount: 0 | 1): void {
  const { type, seq, sentMs } = record;
  const fail = (what: string): never => {
    throw new Error(`${what}: ${JSON.stringify(record)}`);
  };
  const within = (value: number | null, least: number, most: number, what: string): void => {
    if (value !== null && !(value >= least && value <= most)) fail(what);
  };
  if (!Number.isSafeInteger(seq) || seq < 0) fail('no number of a record');
  if (!Number.isSafeInteger(sentMs)) fail('no time');
  if (type === 'position') {
    within(record.place?.latitude ?? null, -90, 90, 'no latitude');
    within(record.place?.longitude ?? null, -180, 180, 'no longitude');
    within(record.speedKmh, 0, 400, 'no speed');
    within(record.course, 0, 360, 'no course');
    within(record.satellites, 0, 99, 'no number of satellites');
    within(record.hdop, 0, 100, 'no dilution');
  } else if (type === 'passenger') {
    within(record.door, 1, 8, 'no door');
    within(record.count, leastCount, MOST_PEOPLE, 'no number of people');
  } else fail('no record of these protocols');
}
