// Stores the records of a call a slice at a time, so that others are served between them, and notes at each message what
// became of it.
import { AppError, isDatabaseAway } from '../../core/errors.ts';
import type { Deps } from '../../deps.ts';
import type { RecordCount } from '../store/batch-figures.ts';
import {
  isRecordFate,
  type StoredTold,
  type StoreTold,
  type ToldRecord,
  worseOf,
} from './store-told.ts';
import type { UnitById } from './units.ts';

/**
 * Records, units with them, and messages without any, of a slice: some tens of ms of the process. Messages without records
 * are read, too: a batch of JT/T 808 may have 65,000 items that nobody can read.
 */
const MOST_OF_SLICE = 1000;
/** The store keeps no more of a message, characters. It would be in memory once for each record of its message. */
const MOST_RAW = 2000;

/** A message, and what becomes of it. */
export interface Origin {
  readonly told: { readonly raw: () => string };
  /** Undefined: it could not be stored now. */
  fate: unknown;
  /** Outcomes that it has noted. */
  noted: readonly RecordCount[];
  hasRecords: boolean;
  /** Whether one of its records is new. Known only of a message that has noted outcomes. */
  isNew: boolean;
  isKeptAside: boolean;
}

/** A message of which nothing is stored, a unit that has told nothing but lives, or a record. */
export interface Part {
  readonly message: Origin;
  readonly unit?: UnitById<unknown>['unit'];
  readonly record?: ToldRecord;
}

/** The records of a unit, and to which message each belongs. */
interface UnitBatch {
  readonly unit: UnitById<unknown>['unit'];
  readonly records: ToldRecord[];
  readonly origins: Origin[];
}

/** The records of a call that wait to be stored together. */
export interface Slice {
  add(part: Part): void;
  /** Whether it is time to store it, and to let others go on. */
  isFull(): boolean;
  /** Stores what was added since the last time, and notes the fates of its messages. It throws nothing. */
  store(): Promise<void>;
  /**
   * Whether a slice of a unit was not stored. A later one would be stored before it, and readings of counters have an
   * order.
   */
  hasFailed(unitId: number): boolean;
}

/**
 * Makes the slice of a call.
 * @param inTurn runs the storing of a unit in its turn, by the number of records
 * @param receivedMs the server's clock at arrival
 */
export function createSlice(
  {
    log,
    storeTold,
    inTurn,
  }: Pick<Deps, 'log'> & {
    readonly storeTold: StoreTold;
    readonly inTurn: <T>(unitId: number, records: number, work: () => Promise<T>) => Promise<T>;
  },
  receivedMs: number,
): Slice {
  const failed = new Set<number>();
  let batches = new Map<number, UnitBatch>();
  let size = 0;

  function batchOf(unit: UnitBatch['unit']): UnitBatch {
    const found = batches.get(unit.unitId);
    if (found !== undefined) return found;
    const batch = { unit, records: [], origins: [] };
    batches.set(unit.unitId, batch);
    size += 1;
    return batch;
  }

  async function storeBatch({ unit, records, origins }: UnitBatch): Promise<void> {
    const { unitId } = unit;
    try {
      const work = () => storeTold(unit, records, createRawOf(origins), receivedMs);
      noteStored(records, origins, await inTurn(unitId, records.length, work));
    } catch (error) {
      if (!(error instanceof AppError) && !isDatabaseAway(error)) {
        log.error({ unitId, err: error }, 'records of a unit were not stored');
      }
      failed.add(unitId);
      for (const message of origins) message.fate = undefined;
    }
  }

  return {
    add: ({ message, unit, record }) => {
      const batch = unit && batchOf(unit);
      size += 1;
      if (batch === undefined || record === undefined) return;
      message.hasRecords = true;
      batch.records.push(record);
      batch.origins.push(message);
    },
    isFull: () => size >= MOST_OF_SLICE,
    store: async () => {
      const some = [...batches.values()];
      batches = new Map();
      size = 0;
      await Promise.all(some.map(storeBatch));
    },
    hasFailed: (unitId) => failed.has(unitId),
  };
}

function noteStored(
  records: readonly ToldRecord[],
  origins: readonly Origin[],
  stored: StoredTold,
): void {
  for (const [index, fate] of stored.refused) {
    const message = origins[index];
    if (message === undefined) continue;
    message.fate = isRecordFate(message.fate) ? worseOf(message.fate, fate) : fate;
  }
  for (const index of stored.aside) {
    const message = origins[index];
    if (message !== undefined) message.isKeptAside = true;
  }
  if (origins.some(({ noted }) => noted.length > 0)) noteNew(records, origins, stored);
}

// A message is new when one of its records is. Nothing tells apart those that have none.
function noteNew(
  records: readonly ToldRecord[],
  origins: readonly Origin[],
  { refused, repeated }: StoredTold,
): void {
  const seen = new Set(repeated);
  for (const [index, { seq }] of records.entries()) {
    const message = origins[index];
    if (message !== undefined && !refused.has(index) && !seen.has(seq)) message.isNew = true;
    seen.add(seq);
  }
}

// Records of a message come in a row, and share its raw form.
function createRawOf(origins: readonly Origin[]): (index: number) => string {
  let last: { readonly message: Origin | undefined; readonly raw: string } | undefined;
  return (index) => {
    const message = origins[index];
    if (last?.message !== message) {
      last = { message, raw: message?.told.raw().slice(0, MOST_RAW) ?? '' };
    }
    return last?.raw ?? '';
  };
}
