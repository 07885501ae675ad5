import { dayOf } from '@ridewatch/contract/day';
import { sql } from 'kysely';
import { asEditable, findBus, findGroupOfStop } from '../access.ts';
import { type Actor, insertAudit } from '../audit.ts';
import type { Viewer } from '../auth/viewer.ts';
import { listZoneSpans, zoneAt } from '../bus-days.ts';
import { announceBusChange } from '../buses/queries.ts';
import type { Db } from '../db.ts';
import { notFound } from '../errors.ts';
import { requestLaps } from './queries.ts';

/** An edit is looked at once. */
const EDIT_WAIT_MS = 1000;

/**
 * Says where a bus's laps begin, from a local day on; days before stay as they were.
 * @param stopId a stop of the route that the bus has on that day; null: the route's first terminal
 * @throws AppError not_found, also for a stop of another route; no_right
 */
export async function setTerminal(
  db: Db,
  viewer: Viewer,
  actor: Actor,
  question: { workplaceId: number; stopId: number | null; validFrom: string | undefined },
  nowMs: number,
): Promise<void> {
  const { workplaceId, stopId, validFrom } = question;
  await db.transaction().execute(async (tx) => {
    const bus = asEditable(viewer, await findBus(tx, viewer, workplaceId));
    // Changes of one bus take turns, so that each sees what the one before it left.
    await sql`select from workplaces where id = ${bus.id} for update`.execute(tx);
    const zone = zoneAt(await listZoneSpans(tx, bus.id), nowMs);
    const today = dayOf(nowMs, zone);
    const day = validFrom ?? today;
    const before = await tx
      .selectFrom('workplace_settings')
      .select(['group_id', 'timezone', 'terminal_stop_id'])
      .where('workplace_id', '=', bus.id)
      .where('valid_from', '<=', day)
      .orderBy('valid_from', 'desc')
      .executeTakeFirst();
    if (stopId !== null) {
      const group = await findGroupOfStop(tx, viewer, stopId);
      if (group.id !== before?.group_id) throw notFound();
    }
    await tx
      .insertInto('workplace_settings')
      .values({
        workplace_id: bus.id,
        valid_from: day,
        group_id: before?.group_id ?? null,
        timezone: before?.timezone ?? zone,
        terminal_stop_id: stopId,
      })
      .onConflict((conflict) =>
        conflict.columns(['workplace_id', 'valid_from']).doUpdateSet({ terminal_stop_id: stopId }),
      )
      .execute();
    await insertAudit(tx, actor, {
      action: 'set_terminal_stop',
      objectType: 'workplace',
      objectId: bus.id,
      before: { terminal_stop_id: before?.terminal_stop_id ?? null },
      after: { terminal_stop_id: stopId, valid_from: day },
    });
    await announceBusChange(tx);
    if (day <= today) await requestLaps(tx, bus.id, [today], { waitMs: EDIT_WAIT_MS });
  });
}
