import * as contract from '@ridewatch/contract/buses';
import { findBus } from '../access/bus.ts';
import { insertAudit } from '../core/audit.ts';
import { AppError } from '../core/errors.ts';
import { serve } from '../core/http/http.ts';
import type { Feature } from '../deps.ts';
import { findBusCameras } from '../fetching/bus-cameras.ts';
import { askForStatus, findStatus } from './status.ts';

/** The cameras' states, and asking the unit for them. */
export const addBusStatus: Feature = (app, { database, clock }, auth) => {
  const { db } = database;

  serve(app, auth, contract.findBusStatus, 'user', async ({ viewer, params }) => {
    const bus = await findBus(db, viewer, params.busId);
    return findStatus(db, viewer, bus.id, clock.nowMs());
  });

  serve(app, auth, contract.updateBusStatus, 'user', async ({ viewer, params, actor }) => {
    const bus = await findBus(db, viewer, params.busId);
    const nowMs = clock.nowMs();
    const { unitId } = await findBusCameras(db, bus.id, nowMs);
    if (unitId === null) throw new AppError('conflict', 'The bus has no unit.');
    await db.transaction().execute(async (tx) => {
      if (!(await askForStatus(tx, unitId, nowMs))) return;
      await insertAudit(tx, actor, {
        action: 'update_camera_status',
        objectType: 'workplace',
        objectId: bus.id,
      });
    });
    return findStatus(db, viewer, bus.id, nowMs);
  });
};
