// What this process has seen of the units that send to it: with it a batch that follows is stored without reading first.
// It is only believed while the unit's row says that nobody has stored anything of it since.
import { Cache } from '../../core/cache.ts';
import type { KnownZones } from '../../days/bus-days.ts';
import type { KnownNumbers } from './stream-row.ts';

/** What was stored of a unit when a batch of it was. */
export interface SeenUnit {
  /** `units.batches` since then. */
  readonly batches: number;
  readonly stream: string;
  readonly streamId: number;
  readonly busId: number | null;
  readonly zones: KnownZones;
  /** How many ranges of numbers its stream has at most. */
  readonly numbers: KnownNumbers;
  /** The block that its last positions went to. */
  readonly block: { readonly startMs: number; readonly bytes: Buffer };
}

/** About 4 KB each, most of it a block's positions (a full one is 60 KB); beyond them the one that was silent longest is read anew. */
const MOST_UNITS = 5000;

/** The units of one process. */
export interface SeenUnits {
  find(unitId: number): SeenUnit | undefined;
  /** Keeps what a batch left, once it is committed; of two that end at once the newer counts. */
  keep(unitId: number, seen: SeenUnit): void;
  /**
   * Notes a batch that changed nothing of what is kept but the count: one of repeats, or without a place. Should another
   * have come between, what is kept is out of date, and the next batch finds out.
   * @param batches the unit's, with this batch
   * @param numbers of the batch's stream, with this batch
   */
  count(unitId: number, batches: number, stream: string, numbers: KnownNumbers): void;
}

/** Nothing is seen yet. */
export function createSeenUnits(): SeenUnits {
  const units = new Cache<number, SeenUnit>({ most: MOST_UNITS });
  const keep: SeenUnits['keep'] = (unitId, seen) => {
    if ((units.get(unitId)?.batches ?? -1) <= seen.batches) units.set(unitId, seen);
  };
  return {
    find: (unitId) => units.get(unitId),
    keep,
    count: (unitId, batches, stream, numbers) => {
      const before = units.get(unitId);
      if (before?.batches !== batches - 1) return;
      keep(unitId, { ...before, batches, ...(before.stream === stream && { numbers }) });
    },
  };
}
