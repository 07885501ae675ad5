import * as contract from '@ridewatch/contract/calculation';
import { HISTORY_PAGE, listCalculationChanges } from '@ridewatch/contract/calculation-history';
import { findCalculatedBus } from '../access/own-days.ts';
import { findRoute } from '../access/route.ts';
import { asEditable } from '../access/visible.ts';
import { insertAudit } from '../core/audit.ts';
import { AppError } from '../core/errors.ts';
import { serve } from '../core/http/http.ts';
import { requestLaps } from '../days/due-laps.ts';
import type { Feature } from '../deps.ts';
import { findCalculation } from './find.ts';
import { previewGroup, setGroup } from './group.ts';
import { findHistory } from './history.ts';
import { findParts } from './parts.ts';
import { type Editor, saveDay, valuesIn } from './save.ts';

/** The calculator of buses, by day and by route. */
export const addMoney: Feature = (app, deps, auth) => {
  const { db } = deps.database;
  const now = (): number => deps.clock.nowMs();

  serve(app, auth, contract.findCalculation, 'user', async ({ viewer, query }) => {
    const bus = await findCalculatedBus(db, viewer, query.workplaceId, query.date);
    return findCalculation(db, { busId: bus.id, day: query.date });
  });

  serve(app, auth, contract.saveCalculation, 'user', async ({ viewer, actor, body }) => {
    const bus = await findCalculatedBus(db, viewer, body.workplaceId, body.date);
    return saveDay(db, editorOf(actor, viewer.userId), bus, body, now());
  });

  serve(app, auth, contract.saveShift, 'user', async ({ viewer, actor, body }) => {
    const bus = await findCalculatedBus(db, viewer, body.workplaceId, body.date);
    return saveDay(db, editorOf(actor, viewer.userId), bus, body, now());
  });

  serve(app, auth, contract.recalculateCalculation, 'user', async ({ viewer, actor, body }) => {
    const bus = asEditable(
      viewer,
      await findCalculatedBus(db, viewer, body.workplace_id, body.date),
    );
    await db.transaction().execute(async (tx) => {
      await requestLaps(tx, bus.id, [body.date], { nowMs: now(), waitMs: 0 });
      await insertAudit(tx, actor, {
        action: 'recalculate_calculation',
        objectType: 'workplace',
        objectId: bus.id,
        after: { date: body.date },
      });
    });
    return undefined;
  });

  serve(app, auth, listCalculationChanges, 'user', async ({ viewer, query }) => {
    const bus = await findCalculatedBus(db, viewer, query.workplaceId, query.date);
    const page = Number(query.page ?? 0);
    const perPage = Number(query.perPage ?? HISTORY_PAGE);
    return findHistory(db, { busId: bus.id, day: query.date }, { page, perPage });
  });

  serve(app, auth, contract.findCalculationParts, 'user', async ({ viewer, query }) => {
    const bus = await findCalculatedBus(db, viewer, query.workplaceId, query.date);
    return findParts(db, { busId: bus.id, day: query.date }, now());
  });

  serve(app, auth, contract.setGroupCalculation, 'user', async ({ viewer, actor, body }) => {
    const route = asEditable(viewer, await findRoute(db, viewer, body.group_id));
    const { fareKopecks, hundredths, event } = valuesIn(body);
    const values = { fareKopecks, hundredths, event };
    if (Object.values(values).every((value) => value === undefined)) {
      const message = 'is missing, as salary_percent and calculation_event: nothing would change';
      throw new AppError('invalid_request', message, { field: 'fare' });
    }
    const edit = { from: body.date_from, values, seenDays: body.seen_days };
    if (body.preview) return previewGroup(db, viewer, route, edit);
    return setGroup(db, viewer, editorOf(actor, viewer.userId), route, edit, now());
  });
};

function editorOf(actor: Omit<Editor, 'userId'>, userId: number): Editor {
  return { ...actor, userId };
}
