import { findBus } from '../access/bus.ts';
import { findBusOnDays } from '../access/own-days.ts';
import { findRouteOfStop } from '../access/route.ts';
import { asEditable } from '../access/visible.ts';
import { announceBusChange } from '../buses/announce.ts';
import { type Actor, insertAudit } from '../core/audit.ts';
import type { Db } from '../core/db/db.ts';
import { notFound } from '../core/errors.ts';
import type { Viewer } from '../core/viewer.ts';
import { changeBusSettings } from '../counts/settings.ts';
import { lockBusSettings } from '../days/bus-settings.ts';
import { requestLaps } from '../days/due-laps.ts';

/** An edit is looked at once. */
const EDIT_WAIT_MS = 1000;

/**
 * Sets the terminal of a bus from a local day on; earlier days stay.
 * @param stopId a stop of the bus's route on that day; null: the route's first terminal
 * @throws AppError not_found, also for a stop of another route; no_right; invalid_request for a day of another customer
 */
export async function setTerminal(
  db: Db,
  viewer: Viewer,
  actor: Actor,
  question: { busId: number; stopId: number | null; validFrom: string | undefined },
  nowMs: number,
): Promise<void> {
  const { busId, stopId, validFrom } = question;
  await db.transaction().execute(async (tx) => {
    const bus = asEditable(viewer, await findBus(tx, viewer, busId));
    const { today, day, before } = await lockBusSettings(tx, bus.id, nowMs, validFrom);
    await findBusOnDays(tx, viewer, { busId: bus.id, from: day, to: day }, 'valid_from');
    if (stopId !== null) {
      const route = await findRouteOfStop(tx, viewer, stopId);
      if (route.id !== before.group_id) throw notFound();
    }
    const settings = { ...before, terminal_stop_id: stopId };
    await changeBusSettings(tx, [{ busId: bus.id, day, settings }]);
    await insertAudit(tx, actor, {
      action: 'set_terminal_stop',
      objectType: 'workplace',
      objectId: bus.id,
      before: { terminal_stop_id: before.terminal_stop_id },
      after: { terminal_stop_id: stopId, valid_from: day },
    });
    await announceBusChange(tx);
    if (day <= today) await requestLaps(tx, bus.id, [today], { nowMs, waitMs: EDIT_WAIT_MS });
  });
}
