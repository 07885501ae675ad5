// Turns a record of the telemetry service into records of the store. Its numbers begin anew when a device restarts, so
// they are no key: a position is known by its second, a count by its second, module, door and direction.
import type { EgtsSettings } from '@ridewatch/contract/unit-protocols';
import { type CountKey, countNumber, positionNumber, timelessNumbers } from '../by-id/numbers.ts';
import type { ToldRecord } from '../by-id/take-told.ts';
import { hasPlace, type PassengerRecord } from '../store/records.ts';
import { RESULT } from './codes.ts';
import { type DataRecord, readSubrecords } from './data-records.ts';
import { type ModuleCounts, readCounts } from './passenger-counts.ts';
import { type Moment, msOf, readMoments } from './telemetry.ts';

/**
 * Times count from 2010, so a clock that was never set says one of the years after it. The standard is of 2015, ms since 1970
 * UTC.
 */
export const OLDEST_MS = Date.UTC(2015);

/**
 * A position of a record is later than the record's time by less, ms: records without a time of their own have that of an
 * earlier one of their packet.
 */
const MOST_LATER_MS = 86_400_000;

/** The records of a unit that one record of EGTS tells. */
export interface UnitRecords {
  readonly records: readonly ToldRecord[];
  /** Counts in a form that only their vendor knows. */
  readonly vendorForms: number;
}

/**
 * Reads a record of the telemetry service.
 * @returns a result code for one that cannot be read
 */
export function readUnitRecords(record: DataRecord, settings: EgtsSettings): UnitRecords | number {
  const subrecords = readSubrecords(record.data);
  const moments = subrecords && readMoments(subrecords, record.seconds);
  if (moments === undefined) return RESULT.dataForm;
  const records: ToldRecord[] = [];
  let [n, vendorForms] = [0, 0];
  for (const moment of moments) {
    const { position, counts } = moment;
    if (position !== null && moment.seconds !== null) {
      const sentMs = msOf(moment.seconds);
      const { place, speedKmh, course, satellites, hdop } = position;
      const seq = positionNumber(sentMs);
      records.push({ type: 'position', seq, sentMs, place, speedKmh, course, satellites, hdop });
    }
    const seconds = secondsOfCounts(moment, record.seconds);
    for (const bytes of counts) {
      const counted = readCounts(bytes, settings);
      if (counted === undefined) return RESULT.dataForm;
      if (counted.doors === null) vendorForms += 1;
      const people = peopleOf({ ...counted, n }, seconds, settings, record);
      if (people === undefined) return RESULT.notEnough;
      records.push(...people);
      n += 1;
    }
  }
  return { records, vendorForms };
}

// A receiver without a fix may not know the time, while the terminal, which says that of the record, does. The server's clock
// has no say: it would judge a repeat otherwise.
function secondsOfCounts({ seconds, position }: Moment, ofRecord: number | null): number | null {
  if (seconds === null || ofRecord === null || position === null || hasPlace(position)) {
    return seconds;
  }
  const [saidMs, recordMs] = [msOf(seconds), msOf(ofRecord)];
  const isWrong = saidMs < OLDEST_MS || saidMs > recordMs + MOST_LATER_MS;
  return isWrong && recordMs >= OLDEST_MS ? ofRecord : seconds;
}

// Counts without a time are told apart by all of their record, and by their place among its counts. A repeat keeps its number.
const bytesOf = ({ number, seconds, data }: DataRecord, n: number): Buffer =>
  Buffer.concat([Buffer.from(`${number} ${seconds} ${n} `), data]);

// Undefined when people were counted, and nobody knows when.
function peopleOf(
  { module, doors, n }: ModuleCounts & { readonly n: number },
  seconds: Moment['seconds'],
  { counts }: EgtsSettings,
  record: DataRecord,
): Omit<PassengerRecord, 'index' | 'timeMs'>[] | undefined {
  const isReading = counts === 'cumulative';
  const told = (doors ?? []).flatMap(({ door, entered, exited }) => [
    { door, direction: 'entered' as const, count: entered },
    { door, direction: 'exited' as const, count: exited },
  ]);
  const people = told.filter(({ count }) => count > 0 || isReading);
  if (people.length === 0) return [];
  if (seconds === null) return undefined;
  const sentMs = msOf(seconds);
  // A clock that was never set stands, or says the same seconds after each start.
  const key: Pick<CountKey, 'timeMs' | 'module'> =
    sentMs < OLDEST_MS ? timelessNumbers(bytesOf(record, n)).count : { timeMs: sentMs, module };
  return people.map((one) => ({
    ...{ type: 'passenger', passenger: 'adult', sentMs, ...one },
    seq: countNumber({ ...key, ...one }),
    ...(isReading && { module }),
  }));
}
