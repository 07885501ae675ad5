// Stores the records of the telemetry service, and says the result of each in the codes of EGTS.
import { EgtsSettings } from '@ridewatch/contract/unit-protocols';
import type { Deps } from '../../deps.ts';
import { createTakeTold, type Fate, type TakeToldDeps } from '../by-id/take-told.ts';
import type { NoteOutcome } from '../by-id/told.ts';
import { RESULT } from './codes.ts';
import { type DataRecord, lastSubrecords } from './data-records.ts';
import { OLDEST_MS, readUnitRecords } from './unit-records.ts';

/** A sender waits five seconds for an answer; later it sends again, ms. */
const LONGEST_WAIT_MS = 5000;

/** Subrecords that are read of a record of an object that nobody knows: the last ones. */
const MOST_LAST = 16;

const RESULTS: { readonly [F in Fate]: number } = {
  stored: RESULT.ok,
  unknown_unit: RESULT.unknownId,
  other_content: RESULT.alreadyProcessed,
  no_room: RESULT.noRoom,
  aside_full: RESULT.noRoom,
  impossible_time: RESULT.impossibleTime,
};

/** A record of the telemetry service, and the ids of its object, the better one first. */
export interface Telemetry {
  readonly record: DataRecord;
  readonly ids: readonly string[];
}

/**
 * Stores records.
 * @param address from where they come
 * @param receivedMs the server's clock at arrival
 * @returns a result code for each; undefined for those that could not be stored now: the sender must send them again
 * @throws the database's error when it does not know the units
 */
export type TakeRecords = (
  sent: readonly Telemetry[],
  address: string,
  receivedMs: number,
) => Promise<(number | undefined)[]>;

/** Makes the storing of one process. */
export function createTakeRecords(
  deps: Pick<Deps, 'metrics' | 'log'> &
    Pick<TakeToldDeps<EgtsSettings>, 'store' | 'findUnits' | 'knocks'>,
): TakeRecords {
  const takeTold = createTakeTold<EgtsSettings, number>({
    ...deps,
    standard: EgtsSettings.parse({}),
    ...{ waitMs: LONGEST_WAIT_MS, oldestMs: OLDEST_MS },
  });
  return async (sent, address, receivedMs) => {
    const told = sent.map(({ record, ids }) => ({
      ids,
      raw: () => record.data.toString('hex'),
      read: (settings: EgtsSettings, note: NoteOutcome) => {
        const read = readUnitRecords(record, settings);
        if (typeof read === 'number') return read;
        if (read.vendorForms > 0) note('passenger', 'vendor_form', read.vendorForms);
        return read.records;
      },
      readEnd: (settings: EgtsSettings) => {
        const data = lastSubrecords(record.data, MOST_LAST);
        const read = data && readUnitRecords({ ...record, data }, settings);
        return typeof read === 'object' ? read.records : RESULT.dataForm;
      },
    }));
    const fates = await takeTold(told, address, receivedMs);
    return fates.map((fate) => (typeof fate === 'string' ? RESULTS[fate] : fate));
  };
}
