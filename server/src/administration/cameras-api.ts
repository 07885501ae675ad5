import * as contract from '@ridewatch/contract/admin-cameras';
import { asAdministered, checkAdministers } from '../access/administration.ts';
import { findBus } from '../access/bus.ts';
import { findCamera } from '../access/camera.ts';
import { findClients } from '../access/client.ts';
import { serve } from '../core/http/http.ts';
import type { Feature } from '../deps.ts';
import { changeCamera, createCamera, listCameras, readCamera } from './cameras.ts';
import { lockRow } from './change.ts';
import { lockRightsOver } from './lock-rights.ts';

/** Cameras. */
export const addCameras: Feature = (app, { database: { db }, clock }, auth) => {
  serve(app, auth, contract.listCameras, 'user', async ({ viewer, query }) => {
    if (query.clientId !== undefined) await findClients(db, viewer, [query.clientId]);
    if (query.busId !== undefined) await findBus(db, viewer, query.busId);
    checkAdministers(viewer);
    return listCameras(db, viewer, query, clock.nowMs());
  });

  serve(app, auth, contract.findCamera, 'user', async ({ viewer, params }) =>
    readCamera(
      db,
      asAdministered(viewer, await findCamera(db, viewer, params.cameraId)),
      clock.nowMs(),
    ),
  );

  serve(app, auth, contract.createCamera, 'user', async ({ viewer, actor, body }) => {
    asAdministered(viewer, await findBus(db, viewer, body.bus_id));
    return db.transaction().execute(async (tx) => {
      // The camera outlives the rights of the user who makes it.
      const present = await lockRightsOver(tx, viewer);
      const find = async () => asAdministered(present, await findBus(tx, present, body.bus_id));
      await lockRow(tx, 'workplaces', (await find()).id);
      // The bus may have gone to foreign hands before the lock.
      return createCamera(tx, actor, await find(), body);
    });
  });

  serve(app, auth, contract.updateCamera, 'user', async ({ viewer, actor, params, body }) => {
    asAdministered(viewer, await findCamera(db, viewer, params.cameraId));
    return db.transaction().execute(async (tx) => {
      const present = await lockRightsOver(tx, viewer);
      const camera = asAdministered(present, await findCamera(tx, present, params.cameraId));
      return (await changeCamera(tx, present, actor, camera, body)).row;
    });
  });
};
