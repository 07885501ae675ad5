// Turns a record of the telemetry service into records of the store. Its numbers begin anew when a device restarts, so
// they are no key: a position is known by its second, a count by its second, module, door and direction.
import type { EgtsSettings } from '@ridewatch/contract/unit-protocols';
import { countNumber, positionNumber } from '../by-id/numbers.ts';
import type { ToldRecord } from '../by-id/take-told.ts';
import type { PassengerRecord } from '../store/records.ts';
import { RESULT } from './codes.ts';
import { type DataRecord, readSubrecords } from './data-records.ts';
import { type ModuleCounts, readCounts } from './passenger-counts.ts';
import { type Moment, msOf, readMoments } from './telemetry.ts';

/** The records of a unit that one record of EGTS tells. */
export interface UnitRecords {
  readonly records: readonly ToldRecord[];
  /** Counts in a form that only their vendor knows. */
  readonly vendorForms: number;
}

/** Reads a record of the telemetry service. @returns a result code for one that cannot be read */
export function readUnitRecords(record: DataRecord, settings: EgtsSettings): UnitRecords | number {
  const subrecords = readSubrecords(record.data);
  const moments = subrecords && readMoments(subrecords, record.seconds);
  if (moments === undefined) return RESULT.dataForm;
  const records: ToldRecord[] = [];
  let vendorForms = 0;
  for (const { seconds, position, counts } of moments) {
    if (position !== null && seconds !== null) {
      const sentMs = msOf(seconds);
      const { place, speedKmh, course, satellites, hdop } = position;
      const seq = positionNumber(sentMs);
      records.push({ type: 'position', seq, sentMs, place, speedKmh, course, satellites, hdop });
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
      const sentMs = msOf(seconds);
      const direction = way === 0 ? 'entered' : 'exited';
      people.push({
        ...{ type: 'passenger', door, passenger: 'adult', count, direction, sentMs },
        seq: countNumber({ timeMs: sentMs, module, door, direction }),
        ...(isReading && { module }),
      });
    }
  }
  return people;
}
