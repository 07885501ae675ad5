// What a unit says of itself beside its records. It is written only when it changes, because batches arrive every few
// seconds; a process that starts writes it once more.
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

interface Facts {
  readonly firmware: string | undefined;
  /** How far the server's clock is ahead of the unit's. */
  readonly offsetMs: number;
}

/**
 * Creates the notes of one process.
 * @returns stores the firmware of a unit and the offset of its clock if either changed; `receivedMs` is the arrival of
 *   the batch by the server's clock
 */
export function createUnitFacts({ database: { db } }: Pick<Deps, 'database'>) {
  const known = new Cache<number, Facts>({ most: MOST_KEPT });
  return async (
    unitId: number,
    { firmware: said, sent_at }: Pick<Batch, 'firmware' | 'sent_at'>,
    receivedMs: number,
  ): Promise<void> => {
    const firmware =
      typeof said === 'string' ? storableOf(said, MOST_FIRMWARE) || undefined : undefined;
    const offsetMs = receivedMs - Date.parse(sent_at);
    const before = known.get(unitId);
    const isKnown =
      before !== undefined &&
      Math.abs(before.offsetMs - offsetMs) < CLOCK_NOISE_MS &&
      (firmware === undefined || firmware === before.firmware);
    if (isKnown) return;
    known.set(unitId, { firmware: firmware ?? before?.firmware, offsetMs });
    await db
      .updateTable('units')
      .set({ clock_offset_ms: offsetMs, ...(firmware !== undefined && { firmware }) })
      .where('id', '=', unitId)
      .execute();
  };
}
