// Stores what the packets of a connection tell, each object's records in one transaction.
import { AppError, isDatabaseAway } from '../../core/errors.ts';
import type { Deps } from '../../deps.ts';
import { addFigures } from '../store/batch-figures.ts';
import { isReading } from '../store/counter-readings.ts';
import { isPossible } from '../store/place-times.ts';
import {
  type AsideRecord,
  type CheckedRecord,
  isUnplaced,
  type SentRecord,
  type StoreRefusal,
} from '../store/records.ts';
import type { RecordStore } from '../store/store-records.ts';
import { TIMED_STREAM } from '../store/timed-stream.ts';
import { createAtOnce } from './at-once.ts';
import { RESULT } from './codes.ts';
import type { DataRecord } from './data-records.ts';
import type { Knocks } from './knocks.ts';
import { readUnitRecords } from './unit-records.ts';
import type { EgtsUnit, FindUnits } from './units.ts';

/** Units of a process whose records are stored at the same time; all have the connections of the role's pool. */
const UNITS_AT_ONCE = 8;
/** A sender waits five seconds for an answer; later it sends again, ms. */
const LONGEST_WAIT_MS = 5000;

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

/** The records of a unit, and to which of the sent ones each belongs. */
interface UnitBatch extends EgtsUnit {
  readonly records: SentRecord[];
  readonly origins: number[];
}

/** Makes the storing of one process. */
export function createTakeRecords(
  { metrics, log }: Pick<Deps, 'metrics' | 'log'>,
  store: RecordStore,
  findUnits: FindUnits,
  knocks: Pick<Knocks, 'note'>,
): TakeRecords {
  const late = () => new AppError('unavailable', 'Storing takes too long.');
  const atOnce = createAtOnce(UNITS_AT_ONCE, LONGEST_WAIT_MS, late);
  return async (sent, address, receivedMs) => {
    const units = await findUnits(sent.flatMap(({ ids }) => ids));
    const results: (number | undefined)[] = [];
    const batches = new Map<number, UnitBatch>();
    for (const [at, { record, ids }] of sent.entries()) {
      const found = ids.map((id) => units.get(id)).find((unit) => unit !== undefined);
      if (found === undefined) {
        if (ids[0] !== undefined) knocks.note(ids[0], address, record);
        results.push(RESULT.unknownId);
        continue;
      }
      const read = readUnitRecords(record, found.settings);
      results.push(typeof read === 'number' ? read : RESULT.ok);
      if (typeof read === 'number') continue;
      if (read.vendorForms > 0) {
        metrics.records.labels('passenger', 'vendor_form').inc(read.vendorForms);
      }
      const { unitId } = found.unit;
      const batch = batches.get(unitId) ?? { ...found, records: [], origins: [] };
      batches.set(unitId, batch);
      for (const one of read.records) {
        batch.records.push({ ...one, index: batch.records.length });
        batch.origins.push(at);
      }
    }
    // Also a record that tells nothing shows that its unit lives.
    const storing = [...batches.values()].map(async (batch) => {
      const raw = (index: number) =>
        sent[batch.origins[index] ?? 0]?.record.data.toString('hex') ?? '';
      try {
        const work = () => storeBatch(batch, raw, receivedMs);
        const refused = await atOnce(() => store.inTurn(batch.unit.unitId, work));
        for (const [index, result] of refused) results[batch.origins[index] ?? 0] = result;
      } catch (error) {
        if (!(error instanceof AppError) && !isDatabaseAway(error)) {
          log.error({ unitId: batch.unit.unitId, err: error }, 'records of a unit were not stored');
        }
        for (const at of new Set(batch.origins)) results[at] = undefined;
      }
    });
    await Promise.all(storing);
    return results;
  };

  // The results of the records that are not stored, by their place in the batch.
  async function storeBatch(
    { unit, records }: UnitBatch,
    rawOf: (index: number) => string,
    receivedMs: number,
  ): Promise<Map<number, number>> {
    const refused = new Map<number, number>();
    const timed: CheckedRecord[] = [];
    const aside: AsideRecord[] = [];
    for (const record of records) {
      // Nothing is stored of a position without a fix.
      if (isUnplaced(record)) timed.push({ ...record, timeMs: receivedMs });
      else if (isPossible(record.sentMs, receivedMs)) {
        timed.push({ ...record, timeMs: record.sentMs });
      } else if (isReading(record)) {
        // The next reading of the counter has its people, too.
        refused.set(record.index, RESULT.impossibleTime);
      } else aside.push({ record, raw: rawOf(record.index) });
    }
    for (const answer of await storeDays(timed, aside)) {
      addFigures(metrics, unit.unitId, { ...answer.figures, dropped: [] });
      for (const { record, reason } of answer.refused) refused.set(record.index, resultOf(reason));
    }
    return refused;

    // A black box may send more days at once than one transaction may touch.
    async function storeDays(
      some: readonly CheckedRecord[],
      timeless: readonly AsideRecord[],
    ): Promise<Awaited<ReturnType<RecordStore['store']>>[]> {
      try {
        return [await store.store(unit, TIMED_STREAM, some, receivedMs, undefined, timeless)];
      } catch (error) {
        const isTooMuch = error instanceof AppError && error.code === 'too_many_days';
        if (!isTooMuch || some.length < 2) throw error;
        const ordered = [...some].sort((a, b) => a.timeMs - b.timeMs);
        const middle = ordered.length >> 1;
        return [
          ...(await storeDays(ordered.slice(0, middle), timeless)),
          ...(await storeDays(ordered.slice(middle), [])),
        ];
      }
    }
  }
}

const resultOf = (reason: StoreRefusal['reason']): number =>
  reason === 'other_content' ? RESULT.alreadyProcessed : RESULT.noRoom;
