// Turns a record of the telemetry service into records of the store. Its numbers begin anew when a device restarts, so
// they are no key: a position is known by its second, a count by its second, module, door and direction.
import type { EgtsSettings } from '@ridewatch/contract/unit-protocols';
import type { PassengerRecord, SentRecord } from '../store/records.ts';
import { RESULT } from './codes.ts';
import { type DataRecord, readSubrecords } from './data-records.ts';
import { type ModuleCounts, readCounts } from './passenger-counts.ts';
import { type Moment, msOf, readMoments } from './telemetry.ts';

/** Numbers of counts are above those of positions, which are seconds in 32 bits. */
const FIRST_COUNT = 2 ** 33;
const MODULES = 0x10000;
const DOORS = 8;

/** A record of the store without its place in a batch. */
type Placeless = SentRecord extends infer Record
  ? Record extends SentRecord
    ? Omit<Record, 'index'>
    : never
  : never;

/** The records of a unit that one record of EGTS tells. */
export interface UnitRecords {
  readonly records: readonly Placeless[];
  /** Counts in a form that only their vendor knows. */
  readonly vendorForms: number;
}

/** Reads a record of the telemetry service. @returns a result code for one that cannot be read */
export function readUnitRecords(record: DataRecord, settings: EgtsSettings): UnitRecords | number {
  const subrecords = readSubrecords(record.data);
  const moments = subrecords && readMoments(subrecords, record.seconds);
  if (moments === undefined) return RESULT.dataForm;
  const records: Placeless[] = [];
  let vendorForms = 0;
  for (const { seconds, position, counts } of moments) {
    if (position !== null && seconds !== null) {
      records.push({ type: 'position', seq: seconds, sentMs: msOf(seconds), ...position });
    }
    for (const bytes of counts) {
      const read = readCounts(bytes, settings);
      if (read === undefined) return RESULT.dataForm;
      if (read.doors === null) vendorForms += 1;
      const people = peopleOf(read, seconds, settings);
      if (people === undefined) return RESULT.notEnough;
      records.push(...people);
    }
  }
  return { records, vendorForms };
}

// Undefined when people were counted, and nobody knows when.
function peopleOf(
  { module, doors }: ModuleCounts,
  seconds: Moment['seconds'],
  { counts }: EgtsSettings,
): Omit<PassengerRecord, 'index' | 'timeMs'>[] | undefined {
  const isReading = counts === 'cumulative';
  const people: Omit<PassengerRecord, 'index' | 'timeMs'>[] = [];
  for (const { door, entered, exited } of doors ?? []) {
    for (const [way, count] of [entered, exited].entries()) {
      if (count === 0 && !isReading) continue;
      if (seconds === null) return undefined;
      people.push({
        ...{ type: 'passenger', door, passenger: 'adult', count },
        seq: FIRST_COUNT + ((seconds * MODULES + module) * DOORS + door - 1) * 2 + way,
        sentMs: msOf(seconds),
        direction: way === 0 ? 'entered' : 'exited',
        ...(isReading && { module }),
      });
    }
  }
  return people;
}
