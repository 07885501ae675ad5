import { sql } from 'kysely';
import type { Tx } from '../db.ts';
import { readPositionBlocks } from '../positions/read.ts';
import { listEffectiveEvents } from '../segments/queries.ts';
import type { DayLaps } from './day-laps.ts';
import { findDayRoute, findDaySettings } from './day-settings.ts';
import type { WorkOut } from './packed-day.ts';
import { LAP_MARGIN_MS, type LapsOfDay } from './queries.ts';

/** Of the advisory locks of buses; any constant will do. */
const LAPS_LOCK = 7236;

/** A day's laps and halts, and the route that the bus has on it. */
export type WorkedDay = DayLaps & { readonly groupId: number | null };

/**
 * Works out a bus's local day from whatever is stored now. Others who do so for the bus wait until the transaction
 * ends, so that the later one sees what the earlier one left.
 * @param workOut where the reckoning is done
 * @returns undefined when there is no such bus, or its positions of that day are deleted: its laps stay what they are
 */
export async function workOutDay(
  tx: Tx,
  workOut: WorkOut,
  { workplaceId, day }: LapsOfDay,
  nowMs: number,
): Promise<WorkedDay | undefined> {
  await sql`select pg_advisory_xact_lock(${LAPS_LOCK}::int, ${workplaceId}::int)`.execute(tx);
  const settings = await findDaySettings(tx, workplaceId, day);
  if (settings === undefined) return undefined;
  const { startMs, endMs, unitId, groupId } = settings;
  const fromMs = startMs - LAP_MARGIN_MS;
  const toMs = endMs + LAP_MARGIN_MS;
  if (await isOutdated(tx, unitId, startMs)) return undefined;
  const worked = await workOut({
    startMs,
    endMs,
    nowMs,
    positions: await readPositionBlocks(tx, unitId ?? 0, fromMs, toMs),
    route: await findDayRoute(tx, settings, day),
    events: await listEffectiveEvents(tx, workplaceId, fromMs, toMs),
  });
  return { ...worked, groupId };
}

async function isOutdated(tx: Tx, unitId: number | null, startMs: number): Promise<boolean> {
  if (unitId === null) return false;
  const unit = await tx
    .selectFrom('units')
    .select('positions_from')
    .where('id', '=', unitId)
    .executeTakeFirst();
  return startMs < (unit?.positions_from?.getTime() ?? Number.NEGATIVE_INFINITY);
}
