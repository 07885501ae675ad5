// A process has one record store, whatever listeners it has: its long transactions leave connections of the role's pool to
// others only if those of all listeners have one limit.
import type { Database } from '../../core/db/db.ts';
import { checkRoom } from '../../core/disk.ts';
import type { Deps } from '../../deps.ts';
import { BOUNDS, type Bounds } from './bounds.ts';
import { createStore, type StoreRecords } from './store-records.ts';
import { createTurns } from './turns.ts';
import { type FeedNote, insertFeed, type ListenedUnit } from './unit-feed.ts';

/** The writer of units' records, with a turn for each unit. */
export interface RecordStore {
  /**
   * Validates and stores a batch in its unit's turn.
   * @throws AppError unavailable when the disk is full; too_many_attempts or unavailable when earlier batches of the
   *   unit take long; whatever `work` throws
   */
  inTurn<T>(unitId: number, work: () => Promise<T>): Promise<T>;
  /** To be called within the unit's turn. */
  readonly store: StoreRecords;
  /**
   * Keeps what a unit sent that somebody listens to.
   * @throws the database's error
   */
  readonly noteFor: (unit: ListenedUnit, notes: readonly FeedNote[]) => Promise<void>;
}

type StoreDeps = Pick<Deps, 'database' | 'disk'>;

/** The stores of this process; only tests have more than one database in one. */
const stores = new WeakMap<Database, RecordStore>();

/** Gives the record store of the process, the same one to all that have its database. */
export function recordStoreOf(deps: StoreDeps): RecordStore {
  const known = stores.get(deps.database);
  if (known !== undefined) return known;
  const made = createRecordStore(deps);
  stores.set(deps.database, made);
  return made;
}

/** Makes a record store of its own, as another process has it. @param bounds tests have smaller ones */
export function createRecordStore(
  { database, disk }: StoreDeps,
  bounds: Bounds = BOUNDS,
): RecordStore {
  const takeTurn = createTurns();
  return {
    inTurn: async (unitId, work) => {
      await checkRoom(disk, 'unavailable');
      return takeTurn(unitId, work);
    },
    store: createStore({ database }, bounds),
    noteFor: (unit, notes) => insertFeed(database, unit, notes),
  };
}
