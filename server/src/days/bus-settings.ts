import { dayOf } from '@ridewatch/contract/day';
import { sql } from 'kysely';
import type { Tx } from '../core/db/db.ts';
import { type CountSource, listZoneSpans, lockBatches, zoneAt } from './bus-days.ts';

/** What holds for a bus from a local day on, until its next settings do. */
export interface BusSettings {
  readonly group_id: number | null;
  readonly timezone: string;
  readonly terminal_stop_id: number | null;
  /** Who counts its people: its unit, or a program that looks at the video. */
  readonly count_source: CountSource;
}

/**
 * Reads what holds for a bus on the day from which it is about to be changed. Changes of one bus take turns from here
 * to the end of the transaction, so that each sees what the one before it left.
 * @param validFrom the local day; the bus's present one when not given
 */
export async function lockBusSettings(
  tx: Tx,
  workplaceId: number,
  nowMs: number,
  validFrom: string | undefined,
): Promise<{ today: string; day: string; before: BusSettings }> {
  await lockBatches(tx, workplaceId);
  await sql`select from workplaces where id = ${workplaceId} for no key update`.execute(tx);
  const timezone = zoneAt(await listZoneSpans(tx, workplaceId), nowMs);
  const today = dayOf(nowMs, timezone);
  const day = validFrom ?? today;
  const before = await tx
    .selectFrom('workplace_settings')
    .select(['group_id', 'timezone', 'terminal_stop_id', 'count_source'])
    .where('workplace_id', '=', workplaceId)
    .where('valid_from', '<=', day)
    .orderBy('valid_from', 'desc')
    .executeTakeFirst();
  const unset = { group_id: null, timezone, terminal_stop_id: null, count_source: 'unit' } as const;
  return {
    today,
    day,
    before:
      before === undefined
        ? unset
        : { ...before, count_source: before.count_source as CountSource },
  };
}

/** Writes what holds from a local day on, and nothing that follows from it: see counts/settings.ts. Days before stay as they were, and so does what is set from a later day on. */
export async function writeBusSettings(
  tx: Tx,
  workplaceId: number,
  day: string,
  settings: BusSettings,
): Promise<void> {
  await tx
    .insertInto('workplace_settings')
    .values({ workplace_id: workplaceId, valid_from: day, ...settings })
    .onConflict((conflict) =>
      conflict.columns(['workplace_id', 'valid_from']).doUpdateSet(settings),
    )
    .execute();
}
