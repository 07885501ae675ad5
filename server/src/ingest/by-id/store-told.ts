// Stores what one unit has told, in one transaction, or in several when it touches too many days.
import { AppError } from '../../core/errors.ts';
import type { Deps } from '../../deps.ts';
import { addFigures } from '../store/batch-figures.ts';
import { isReading } from '../store/counter-readings.ts';
import type { RecordStore } from '../store/record-store.ts';
import {
  type AsideRecord,
  type CheckedRecord,
  isUnplaced,
  type SentRecord,
  type StoreRefusal,
} from '../store/records.ts';
import { TIMED_STREAM } from '../store/timed-stream.ts';
import { isPossibleTold } from './possible-times.ts';
import type { UnitById } from './units.ts';

/** A record of the store without its place in a batch. */
export type ToldRecord = SentRecord extends infer Record
  ? Record extends SentRecord
    ? Omit<Record, 'index'>
    : never
  : never;

/** Fates of records, the worst last. */
const FATES = [
  'stored',
  // A reading of a counter: nothing is lost, because the next one has its people.
  'impossible_time',
  // Its number is taken.
  'other_content',
  // The block of its positions is full for good, or its unit has too many counters.
  'no_room',
  // So much is kept aside that there is no room until somebody places or discards some of it.
  'aside_full',
] as const;
export type RecordFate = (typeof FATES)[number];

/** The worse of two fates. */
export const worseOf = (one: RecordFate, other: RecordFate): RecordFate =>
  FATES.indexOf(other) > FATES.indexOf(one) ? other : one;

/** Whether a fate is that of records, and no refusal of a protocol. */
export const isRecordFate = (fate: unknown): fate is RecordFate =>
  FATES.some((known) => known === fate);

/** The fates of records that are not stored, by their place in the batch, and the numbers of those that were before. */
export interface StoredTold {
  readonly refused: ReadonlyMap<number, RecordFate>;
  /** Places of the records whose time is impossible; those that are not refused are kept aside. */
  readonly aside: readonly number[];
  readonly repeated: readonly number[];
}

/**
 * Stores records of a unit.
 * @param rawOf the raw form of the message of a record, by its place
 * @param receivedMs the server's clock at arrival
 * @throws AppError, or the database's error, when they could not be stored now
 */
export type StoreTold = (
  unit: UnitById<unknown>['unit'],
  records: readonly ToldRecord[],
  rawOf: (index: number) => string,
  receivedMs: number,
) => Promise<StoredTold>;

/**
 * Makes the storing of one listener.
 * @param oldestMs see `isPossibleTold`
 */
export function createStoreTold({
  metrics,
  store,
  oldestMs,
}: Pick<Deps, 'metrics'> & {
  readonly store: RecordStore;
  readonly oldestMs?: number | undefined;
}): StoreTold {
  return async (unit, records, rawOf, receivedMs) => {
    const refused = new Map<number, RecordFate>();
    const repeated: number[] = [];
    const timed: CheckedRecord[] = [];
    const aside: AsideRecord[] = [];
    for (const [index, told] of records.entries()) {
      const hasNoPlace = isUnplaced(told);
      if (hasNoPlace || isPossibleTold(told.sentMs, receivedMs, oldestMs)) {
        timed.push({ ...told, index, timeMs: hasNoPlace ? receivedMs : told.sentMs });
      } else if (isReading(told)) {
        // The next reading of the counter has its people, too.
        refused.set(index, 'impossible_time');
      } else aside.push({ record: { ...told, index }, raw: rawOf(index) });
    }
    for (const answer of await storeDays(timed, aside)) {
      addFigures(metrics, unit.unitId, { ...answer.figures, dropped: [] });
      for (const { record, reason } of answer.refused) refused.set(record.index, fateOf(reason));
      repeated.push(...answer.repeated);
    }
    refuseCopies(records, refused);
    return { refused, repeated, aside: aside.map(({ record }) => record.index) };

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
  };
}

// Of equal records of a batch the store takes the first, and says nothing of the others.
function refuseCopies(records: readonly ToldRecord[], refused: Map<number, RecordFate>): void {
  if (refused.size === 0) return;
  const firstOfNumber = new Map<number, number>();
  for (const [index, record] of records.entries()) {
    if (isUnplaced(record)) continue;
    const { seq } = record;
    const first = firstOfNumber.get(seq) ?? index;
    firstOfNumber.set(seq, first);
    const fate = refused.get(first);
    if (fate !== undefined && !refused.has(index)) refused.set(index, fate);
  }
}

const fateOf = (reason: StoreRefusal['reason']): RecordFate =>
  reason === 'other_content' || reason === 'aside_full' ? reason : 'no_room';
