// The state of units after their last batch in this process, so that the next batch can be stored without reading
// first. It counts only while the unit's row says that nothing was stored since.
import { Cache } from '../../core/cache.ts';
import { inOwnMemory } from '../../core/own-memory.ts';
import type { Shifts } from '../../counts/shifts.ts';
import type { KnownZones } from '../../days/bus-days.ts';
import type { KnownNumbers } from './stream-row.ts';

/** The state of a unit after a batch. */
export interface SeenUnit {
  /** `units.batches` since then. */
  readonly batches: number;
  readonly stream: string;
  readonly streamId: number;
  readonly busId: number | null;
  readonly zones: KnownZones;
  /** The shifts of its bus from a local day on; a change of one counts a batch of the unit. */
  readonly shifts: KnownShifts;
  /** Upper bound of the number of ranges of its stream. */
  readonly numbers: KnownNumbers;
  /** The block of its last positions; the newest one: the unit has none after it. */
  readonly block: {
    readonly startMs: number;
    readonly bytes: Buffer;
    readonly isNewest: boolean;
  };
}

/** The shifts of a bus from a local day on. */
export interface KnownShifts {
  /** `YYYY-MM-DD` */
  readonly fromDay: string;
  readonly byDay: Shifts;
}

/**
 * All of them, bytes: some ten thousand units that drive, with the positions of their blocks, 60 KB in a full one. Beyond
 * it the least recently used unit is read again.
 */
const MOST_BYTES = 64 * 2 ** 20;
/** The rest of a unit's state, bytes, about. */
const STATE_BYTES = 2500;

/** The units of one process. */
export interface SeenUnits {
  find(unitId: number): SeenUnit | undefined;
  /** Stores the state after a committed batch; of two concurrent ones the newer counts. */
  keep(unitId: number, seen: SeenUnit): void;
  /**
   * Records a batch that changed only the count of batches: one of repeats, or without a position. If another came
   * between, the state is stale, and the next batch notices.
   * @param batches of the unit, with this one
   * @param numbers of the batch's stream, with this batch
   */
  count(unitId: number, batches: number, stream: string, numbers: KnownNumbers): void;
  /** Records a batch of another bus, which may have changed the block of the last positions. */
  forget(unitId: number): void;
}

/** Nothing is seen yet. */
export function createSeenUnits(): SeenUnits {
  const units = new Cache<number, SeenUnit>({
    most: MOST_BYTES,
    sizeOf: ({ block }) => STATE_BYTES + block.bytes.length,
  });
  const keep: SeenUnits['keep'] = (unitId, seen) => {
    if ((units.get(unitId)?.batches ?? -1) > seen.batches) return;
    const { startMs, bytes, isNewest } = seen.block;
    units.set(unitId, { ...seen, block: { startMs, isNewest, bytes: inOwnMemory(bytes) } });
  };
  return {
    find: (unitId) => units.get(unitId),
    keep,
    forget: (unitId) => units.delete(unitId),
    count: (unitId, batches, stream, numbers) => {
      const before = units.get(unitId);
      if (before?.batches !== batches - 1) return;
      keep(unitId, { ...before, batches, ...(before.stream === stream && { numbers }) });
    },
  };
}
