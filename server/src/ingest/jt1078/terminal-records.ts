import type { KnownUnit } from '../../core/viewer.ts';
import type { Deps } from '../../deps.ts';
import type { ToldRecord } from '../by-id/store-told.ts';
import { addFigures } from '../store/batch-figures.ts';
import { recordStoreOf } from '../store/record-store.ts';
import type { CheckedRecord } from '../store/records.ts';
import { TIMED_STREAM } from '../store/timed-stream.ts';

/** Stores files that a terminal has listed, and states of its cameras. */
export type StoreTerminalRecords = (
  unit: KnownUnit,
  records: readonly ToldRecord[],
) => Promise<void>;

/**
 * Makes the way of such records into the store of all units.
 * @returns stores records with possible times, each once by its number; one that is refused is left out
 * @throws from the returned function: AppError unavailable, the database's error
 */
export function createStoreTerminalRecords({
  database,
  disk,
  clock,
  metrics,
}: Pick<Deps, 'database' | 'disk' | 'clock' | 'metrics'>): StoreTerminalRecords {
  const store = recordStoreOf({ database, disk });
  return async (unit, told) => {
    if (told.length === 0) return;
    const records: CheckedRecord[] = told.map((record, index) => ({
      ...{ ...record, index, timeMs: record.sentMs },
    }));
    const { figures } = await store.inTurn(unit.unitId, () =>
      store.store(unit, TIMED_STREAM, records, clock.nowMs()),
    );
    addFigures(metrics, unit.unitId, { ...figures, dropped: [] });
  };
}
