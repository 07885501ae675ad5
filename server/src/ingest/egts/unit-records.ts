// Turns a record of the telemetry service into records of the store. Its numbers begin anew when a device restarts, so
// they are no key: a position is known by its second, a count by its second, module, door and direction.
import type { EgtsSettings } from '@ridewatch/contract/unit-protocols';
import { type CountKey, countNumber, positionNumber, timelessNumbers } from '../by-id/numbers.ts';
import type { ToldRecord } from '../by-id/store-told.ts';
import { hasPlace } from '../store/records.ts';
import { RESULT } from './codes.ts';
import { type DataRecord, readSubrecords } from './data-records.ts';
import { type DoorCount, type ModuleCounts, readCounts } from './passenger-counts.ts';
import { type EgtsPosition, type Moment, msOf, readMoments } from './telemetry.ts';

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
  /** They are made as they are taken: 24 bytes may be sixteen of them, and a packet 43,000. */
  readonly records: Iterable<ToldRecord>;
  /** Counts in a form that only their vendor knows. */
  readonly vendorForms: number;
}

/** A position, or counts of a module, of a record. */
interface Step {
  /** s since 2010 UTC. */
  readonly seconds: number;
  readonly told: EgtsPosition | NumberedCounts;
}

interface NumberedCounts extends ModuleCounts {
  /** Their place among the counts of the record, from 0. */
  readonly n: number;
}

/** Records of so many positions and counts are made at once, which is quicker. */
const MOST_AT_ONCE = 64;

/**
 * Reads a record of the telemetry service.
 * @returns a result code for one that cannot be read
 */
export function readUnitRecords(record: DataRecord, settings: EgtsSettings): UnitRecords | number {
  const subrecords = readSubrecords(record.data);
  const moments = subrecords && readMoments(subrecords, record.seconds);
  if (moments === undefined) return RESULT.dataForm;
  const steps: Step[] = [];
  let [n, vendorForms] = [0, 0];
  for (const moment of moments) {
    if (moment.position !== null && moment.seconds !== null) {
      steps.push({ seconds: moment.seconds, told: moment.position });
    }
    const seconds = secondsOfCounts(moment, record.seconds);
    for (const bytes of moment.counts) {
      const counted = readCounts(bytes, settings);
      if (counted === undefined) return RESULT.dataForm;
      if (counted.doors === null) vendorForms += 1;
      else if (hasPeople(counted.doors, settings)) {
        if (seconds === null) return RESULT.notEnough;
        steps.push({ seconds, told: { ...counted, n } });
      }
      n += 1;
    }
  }
  // Not all of them may be stored together, and a reading before one that is stored adds nobody.
  if (settings.counts === 'cumulative') steps.sort((a, b) => a.seconds - b.seconds);
  if (steps.length > MOST_AT_ONCE) {
    const records = { [Symbol.iterator]: () => recordsOf(steps, settings, record) };
    return { records, vendorForms };
  }
  const records: ToldRecord[] = [];
  for (const step of steps) addRecords(records, step, settings, record);
  return { records, vendorForms };
}

function* recordsOf(
  steps: readonly Step[],
  settings: EgtsSettings,
  record: DataRecord,
): Generator<ToldRecord> {
  for (const step of steps) {
    const records: ToldRecord[] = [];
    addRecords(records, step, settings, record);
    yield* records;
  }
}

function addRecords(
  records: ToldRecord[],
  { seconds, told }: Step,
  settings: EgtsSettings,
  record: DataRecord,
): void {
  const sentMs = msOf(seconds);
  if ('doors' in told) {
    addPeople(records, told, sentMs, settings, record);
    return;
  }
  const { place, speedKmh, course, satellites, hdop } = told;
  const seq = positionNumber(sentMs);
  records.push({ type: 'position', seq, sentMs, place, speedKmh, course, satellites, hdop });
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

const isTold = (count: number, { counts }: EgtsSettings): boolean =>
  count > 0 || counts === 'cumulative';

const hasPeople = (doors: readonly DoorCount[], settings: EgtsSettings): boolean =>
  doors.some(({ entered, exited }) => isTold(entered, settings) || isTold(exited, settings));

function addPeople(
  records: ToldRecord[],
  { module, doors, n }: NumberedCounts,
  sentMs: number,
  settings: EgtsSettings,
  record: DataRecord,
): void {
  // A clock that was never set stands, or says the same seconds after each start.
  const key: Pick<CountKey, 'timeMs' | 'module'> =
    sentMs < OLDEST_MS ? timelessNumbers(bytesOf(record, n)).count : { timeMs: sentMs, module };
  for (const { door, ...counts } of doors ?? []) {
    for (const direction of ['entered', 'exited'] as const) {
      const count = counts[direction];
      if (!isTold(count, settings)) continue;
      const { timeMs } = key;
      const seq = countNumber({ timeMs, module: key.module, door, direction });
      const one = { type: 'passenger', passenger: 'adult', sentMs, door, direction } as const;
      const isReading = settings.counts === 'cumulative';
      records.push({ ...one, count, seq, ...(isReading && { module }) });
    }
  }
}
