// A unit's facts about itself beside its records. They are written only when they change, because batches arrive every
// few seconds; a process that starts writes them once more.
import type { Batch } from '@ridewatch/contract/unit';
import { Cache } from '../../core/cache.ts';
import { storableOf } from '../../core/storable.ts';
import type { Deps } from '../../deps.ts';

/** Most units of which a process remembers what it wrote. */
const MOST_KEPT = 50_000;
/** The delay of the network differs by less than this from batch to batch, ms. */
const CLOCK_NOISE_MS = 5000;

/** Longest version that is kept, characters. */
const MOST_FIRMWARE = 64;

/** A batch's facts about its unit. */
export interface Facts {
  /** Undefined when the batch names none that can be stored. */
  readonly firmware: string | undefined;
  /** How far the server's clock is ahead of the unit's, ms. */
  readonly offsetMs: number;
}

/** Reads what a batch says of its unit. @param receivedMs the arrival of the batch by the server's clock */
export function factsOf(
  { firmware, sent_at }: Pick<Batch, 'firmware' | 'sent_at'>,
  receivedMs: number,
): Facts {
  return {
    firmware:
      typeof firmware === 'string' ? storableOf(firmware, MOST_FIRMWARE) || undefined : undefined,
    offsetMs: receivedMs - Date.parse(sent_at),
  };
}

/**
 * Creates the notes of one process.
 * @returns stores the firmware of a unit and the offset of its clock if either changed
 */
export function createUnitFacts({ database: { db } }: Pick<Deps, 'database'>) {
  const known = new Cache<number, Facts>({ most: MOST_KEPT });
  return async (unitId: number, { firmware, offsetMs }: Facts): Promise<void> => {
    const before = known.get(unitId);
    const isKnown =
      before !== undefined &&
      Math.abs(before.offsetMs - offsetMs) < CLOCK_NOISE_MS &&
      (firmware === undefined || firmware === before.firmware);
    if (isKnown) return;
    await db
      .updateTable('units')
      .set({ clock_offset_ms: offsetMs, ...(firmware !== undefined && { firmware }) })
      .where('id', '=', unitId)
      .execute();
    // After the write: the next batch repeats one that failed.
    known.set(unitId, { firmware: firmware ?? before?.firmware, offsetMs });
  };
}
