// Stores what units known by an id tell in any protocol, each unit's records in one transaction. What came twice counts
// once, because the numbers of records are made of their times (numbers.ts). A message whose records could not be stored has
// no fate: its sender must send it again.
import { AppError, isDatabaseAway } from '../../core/errors.ts';
import type { Deps } from '../../deps.ts';
import { addFigures } from '../store/batch-figures.ts';
import { isReading } from '../store/counter-readings.ts';
import { isPossible } from '../store/place-times.ts';
import {
  type AsideRecord,
  type CheckedRecord,
  hasPlace,
  isUnplaced,
  type SentRecord,
  type StoreRefusal,
} from '../store/records.ts';
import type { RecordStore } from '../store/store-records.ts';
import { TIMED_STREAM } from '../store/timed-stream.ts';
import { createAtOnce } from './at-once.ts';
import type { HeardPlace, Knocks } from './knocks.ts';
import type { FindUnits, UnitById } from './units.ts';

/** Units of a process whose records are stored at the same time; all have the connections of the role's pool. */
const UNITS_AT_ONCE = 8;

/** A record of the store without its place in a batch. */
export type ToldRecord = SentRecord extends infer Record
  ? Record extends SentRecord
    ? Omit<Record, 'index'>
    : never
  : never;

/** A message about one unit. */
export interface Told<Settings, Refusal> {
  /** The ids by which its unit may be known, the better one first. */
  readonly ids: readonly string[];
  /** Reads its records as the unit's settings say, with numbers of numbers.ts. @returns why it cannot be read */
  readonly read: (settings: Settings) => readonly ToldRecord[] | Refusal;
  /** As it came, kept beside a record whose time is impossible. */
  readonly raw: () => string;
}

/** What became of a message: stored (perhaps earlier), or the worst of its records. */
export type Fate = 'stored' | 'unknown_unit' | 'other_content' | 'no_room' | 'impossible_time';

/**
 * Stores messages.
 * @param address from where they come
 * @param receivedMs the server's clock at arrival
 * @returns the fate of each, or why it was not read; undefined for those that could not be stored now
 * @throws the database's error when it does not know the units
 */
export type TakeTold<Settings, Refusal> = (
  told: readonly Told<Settings, Refusal>[],
  address: string,
  receivedMs: number,
) => Promise<(Fate | Refusal | undefined)[]>;

/** The rooms and limits of a protocol. */
export interface TakeToldDeps<Settings> extends Pick<Deps, 'metrics' | 'log'> {
  readonly store: RecordStore;
  readonly findUnits: FindUnits<Settings>;
  readonly knocks: Pick<Knocks, 'note'>;
  /** The settings of a device that keeps to the standard: an unknown one is read so. */
  readonly standard: Settings;
  /** How long senders wait for an answer; later they have sent again, ms. */
  readonly waitMs: number;
}

/** The records of a unit, and to which of the messages each belongs. */
interface UnitBatch<Settings> extends UnitById<Settings> {
  readonly records: SentRecord[];
  readonly origins: number[];
}

/** Makes the storing of one process. */
export function createTakeTold<Settings, Refusal extends number | string = never>({
  metrics,
  log,
  store,
  findUnits,
  knocks,
  standard,
  waitMs,
}: TakeToldDeps<Settings>): TakeTold<Settings, Refusal> {
  const late = () => new AppError('unavailable', 'Storing takes too long.');
  const atOnce = createAtOnce(UNITS_AT_ONCE, waitMs, late);
  return async (told, address, receivedMs) => {
    const units = await findUnits(told.flatMap(({ ids }) => ids));
    const fates: (Fate | Refusal | undefined)[] = [];
    const batches = new Map<number, UnitBatch<Settings>>();
    for (const [at, { ids, read }] of told.entries()) {
      const found = ids.map((id) => units.get(id)).find((unit) => unit !== undefined);
      if (found === undefined) {
        const records = read(standard);
        const place = isRead(records) ? lastPlaceOf(records) : undefined;
        if (ids[0] !== undefined) knocks.note(ids[0], address, 1, place);
        fates.push('unknown_unit');
        continue;
      }
      const records = read(found.settings);
      fates.push(isRead(records) ? 'stored' : records);
      if (!isRead(records)) continue;
      const { unitId } = found.unit;
      const batch = batches.get(unitId) ?? { ...found, records: [], origins: [] };
      batches.set(unitId, batch);
      for (const one of records) {
        batch.records.push({ ...one, index: batch.records.length });
        batch.origins.push(at);
      }
    }
    // Also a message without records shows that its unit lives.
    const storing = [...batches.values()].map(async (batch) => {
      const raw = (index: number) => told[batch.origins[index] ?? 0]?.raw() ?? '';
      try {
        const work = () => storeBatch(batch, raw, receivedMs);
        const refused = await atOnce(() => store.inTurn(batch.unit.unitId, work));
        for (const [index, fate] of refused) fates[batch.origins[index] ?? 0] = fate;
      } catch (error) {
        if (!(error instanceof AppError) && !isDatabaseAway(error)) {
          log.error({ unitId: batch.unit.unitId, err: error }, 'records of a unit were not stored');
        }
        for (const at of new Set(batch.origins)) fates[at] = undefined;
      }
    });
    await Promise.all(storing);
    return fates;
  };

  // The fates of the records that are not stored, by their place in the batch.
  async function storeBatch(
    { unit, records }: UnitBatch<Settings>,
    rawOf: (index: number) => string,
    receivedMs: number,
  ): Promise<Map<number, Fate>> {
    const refused = new Map<number, Fate>();
    const timed: CheckedRecord[] = [];
    const aside: AsideRecord[] = [];
    for (const record of records) {
      // Nothing is stored of a position without a fix.
      if (isUnplaced(record)) timed.push({ ...record, timeMs: receivedMs });
      else if (isPossible(record.sentMs, receivedMs)) {
        timed.push({ ...record, timeMs: record.sentMs });
      } else if (isReading(record)) {
        // The next reading of the counter has its people, too.
        refused.set(record.index, 'impossible_time');
      } else aside.push({ record, raw: rawOf(record.index) });
    }
    for (const answer of await storeDays(timed, aside)) {
      addFigures(metrics, unit.unitId, { ...answer.figures, dropped: [] });
      for (const { record, reason } of answer.refused) refused.set(record.index, fateOf(reason));
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

function isRead<Refusal>(read: readonly ToldRecord[] | Refusal): read is readonly ToldRecord[] {
  return Array.isArray(read);
}

function lastPlaceOf(records: readonly ToldRecord[]): HeardPlace | undefined {
  for (const one of records.toReversed()) {
    if (one.type === 'position' && hasPlace(one)) return { sentMs: one.sentMs, ...one.place };
  }
  return undefined;
}

const fateOf = (reason: StoreRefusal['reason']): Fate =>
  reason === 'other_content' ? 'other_content' : 'no_room';
