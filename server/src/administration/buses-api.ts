import * as contract from '@ridewatch/contract/admin-buses';
import * as happenings from '@ridewatch/contract/admin-happenings';
import { asAdministered, checkAdministers } from '../access/administration.ts';
import { findBus } from '../access/bus.ts';
import { findClients } from '../access/client.ts';
import { listOwnPeriods } from '../access/own-days.ts';
import { findRoute } from '../access/route.ts';
import { lockRights } from '../auth/accounts.ts';
import { serve } from '../core/http/http.ts';
import type { Feature } from '../deps.ts';
import { changeBus, createBus } from './bus-changes.ts';
import { listBuses, listSettings, readBus } from './buses.ts';
import { listHappenings } from './happenings.ts';
import { lockRightsOver } from './lock-rights.ts';
import { listOwners } from './owners.ts';
import { changeSettings } from './settings-changes.ts';

/** Buses and what is valid for them from a day on. */
export const addAdminBuses: Feature = (app, { database: { db }, clock }, auth) => {
  serve(app, auth, contract.listAdminBuses, 'user', async ({ viewer, query }) => {
    if (query.clientId !== undefined) await findClients(db, viewer, [query.clientId]);
    if (query.groupId !== undefined) await findRoute(db, viewer, query.groupId);
    checkAdministers(viewer);
    return listBuses(db, viewer, query, clock.nowMs());
  });

  serve(app, auth, contract.findAdminBus, 'user', async ({ viewer, params }) => {
    const bus = asAdministered(viewer, await findBus(db, viewer, params.busId));
    const settings = await listSettings(db, viewer, bus.id);
    const owners = await listOwners(db, viewer, bus.id);
    return { ...(await readBus(db, viewer, bus, clock.nowMs())), settings, owners };
  });

  serve(app, auth, happenings.listHappenings, 'user', async ({ viewer, params }) => {
    const bus = asAdministered(viewer, await findBus(db, viewer, params.busId));
    const own = (await listOwnPeriods(db, viewer, [bus.id])).get(bus.id) ?? [];
    const happened = await listHappenings(db, bus);
    const isOwn = (atMs: number) =>
      own.some(({ startMs, endMs }) => atMs >= startMs && atMs < endMs);
    return { items: happened.filter(({ at }) => isOwn(Date.parse(at))) };
  });

  serve(app, auth, contract.createBus, 'user', async ({ viewer, actor, body }) => {
    await findClients(db, viewer, body.client_ids);
    checkAdministers(viewer);
    return db.transaction().execute(async (tx) => {
      const present = await lockRights(tx, viewer, { clientIds: body.client_ids }, 'share');
      checkAdministers(present);
      return createBus(tx, present, actor, body);
    });
  });

  serve(app, auth, contract.updateBus, 'user', async ({ viewer, actor, params, body }) => {
    asAdministered(viewer, await findBus(db, viewer, params.busId));
    return db.transaction().execute(async (tx) => {
      // Customers who get the bus have it when the user's rights have ended.
      const present = await lockRightsOver(tx, viewer);
      const bus = asAdministered(present, await findBus(tx, present, params.busId));
      return (await changeBus(tx, present, actor, bus, body)).row;
    });
  });

  serve(app, auth, contract.setBusSettings, 'user', async ({ viewer, actor, params, body }) => {
    asAdministered(viewer, await findBus(db, viewer, params.busId));
    return db.transaction().execute(async (tx) => {
      const present = await lockRightsOver(tx, viewer);
      const bus = asAdministered(present, await findBus(tx, present, params.busId));
      return (await changeSettings(tx, present, actor, bus, body)).row;
    });
  });
};
