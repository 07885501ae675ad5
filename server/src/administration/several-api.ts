import * as contract from '@ridewatch/contract/admin-several';
import { sql } from 'kysely';
import {
  checkAdministers,
  findAdministeredUser,
  isVisibleUnit,
  isVisibleUser,
} from '../access/administration.ts';
import { findBusIds } from '../access/bus.ts';
import { isOfVisibleClient, isVisibleBus } from '../access/visible.ts';
import { lockAdministrator } from '../auth/lock-administrator.ts';
import type { Tx } from '../core/db/db.ts';
import { serve } from '../core/http/http.ts';
import type { Viewer } from '../core/viewer.ts';
import { lockBatches } from '../days/bus-days.ts';
import { lockBuses } from '../days/lock-buses.ts';
import type { Feature } from '../deps.ts';
import { lockRightsOver } from './lock-rights.ts';
import { type HandedOver, handOver } from './several-handovers.ts';
import { changeRoutes, listRoutesOfBuses } from './several-routes.ts';
import { changeEach, changeSeveral, checkSees } from './several-rows.ts';
import { listBusesOfCameras, retireBuses, switchCameras, switchRows } from './several-switches.ts';
import { changeUser } from './users.ts';

/** One change of several rows in one transaction. What a row is now matters to none of them. */
export const addSeveral: Feature = (app, { database: { db } }, auth) => {
  const findCustomers = (viewer: Viewer, ids: readonly number[]) =>
    checkSees(db, 'clients', ids, isOfVisibleClient(viewer, sql.ref('clients.id')));

  serve(app, auth, contract.changeBuses, 'user', async ({ viewer, actor, body }) => {
    const { ids, change, preview } = body;
    await findBusIds(db, viewer, ids);
    checkAdministers(viewer);
    const lockFirst = async (tx: Tx) => {
      const present = await lockRightsOver(tx, viewer);
      // Units before buses, as every change of settings.
      await lockBuses(tx, ids);
      return present;
    };
    const several = { ids, preview, lockFirst };
    if ('retired' in change) {
      return changeSeveral(db, 'workplaces', several, (tx, present, own) =>
        retireBuses(tx, present, actor, own, change.retired),
      );
    }
    if ('client_ids' in change) {
      let former: HandedOver['effects'] = [];
      const answer = await changeSeveral(db, 'workplaces', several, async (tx, present, own) => {
        // A preview says the days anew.
        const wanted = { ...change, ...(preview && { seen: undefined }) };
        const { effects, ...outcome } = await handOver(tx, present, actor, own, wanted);
        former = effects;
        return outcome;
      });
      return preview ? { ...answer, former_clients: former } : answer;
    }
    const answer = await changeSeveral(db, 'workplaces', several, (tx, present, own) =>
      changeRoutes(tx, present, actor, own, change),
    );
    if (!preview) return answer;
    const former = await listRoutesOfBuses(db, answer.changed_ids, change.valid_from);
    return { ...answer, former_routes: former };
  });

  serve(app, auth, contract.changeUnits, 'user', async ({ viewer, actor, body }) => {
    const { ids, preview } = body;
    await checkSees(db, 'units', ids, isVisibleUnit(viewer));
    checkAdministers(viewer);
    const lockFirst = (tx: Tx) => lockRightsOver(tx, viewer);
    return changeSeveral(db, 'units', { ids, preview, lockFirst }, (tx, present, own) => {
      checkAdministers(present);
      const isVisible = isVisibleUnit(present);
      return switchRows(tx, actor, own, { table: 'units', ...body.change, isVisible });
    });
  });

  serve(
    app,
    auth,
    contract.changeCustomers,
    'admin',
    async ({ viewer, actor, body }) => {
      await findCustomers(viewer, body.ids);
      const { ids, preview } = body;
      const lockFirst = async (tx: Tx) => {
        await lockAdministrator(tx, viewer);
        return viewer;
      };
      const isVisible = sql<boolean>`true`;
      return changeSeveral(db, 'clients', { ids, preview, lockFirst }, (tx, _, own) =>
        switchRows(tx, actor, own, { table: 'clients', ...body.change, isVisible }),
      );
    },
    ({ viewer, body }) => findCustomers(viewer, body.ids),
  );

  serve(app, auth, contract.changeCameras, 'user', async ({ viewer, actor, body }) => {
    const { ids, preview } = body;
    await checkSees(db, 'cameras', ids, isVisibleBus(viewer, sql.ref('cameras.workplace_id')));
    checkAdministers(viewer);
    const lockFirst = async (tx: Tx) => {
      const present = await lockRightsOver(tx, viewer);
      // Units before cameras, as every change of a camera and every batch.
      await lockBatches(tx, ...(await listBusesOfCameras(tx, ids)));
      return present;
    };
    return changeSeveral(db, 'cameras', { ids, preview, lockFirst }, async (tx, present, own) => {
      checkAdministers(present);
      return switchCameras(tx, present, actor, own, body.change.enabled);
    });
  });

  serve(app, auth, contract.changeUsers, 'user', async ({ viewer, actor, body }) => {
    const { ids, preview } = body;
    await checkSees(db, 'users', ids, isVisibleUser(viewer));
    checkAdministers(viewer);
    const sessions: string[] = [];
    const lockFirst = (tx: Tx) =>
      lockRightsOver(tx, viewer, sql<boolean>`users.id = any(${ids}::bigint[])`);
    const several = { ids, preview, lockFirst };
    const answer = await changeEach(db, 'users', several, async (tx, present, id) => {
      const found = await findAdministeredUser(tx, present, id);
      const { ended, ...changed } = await changeUser(tx, present, actor, found, body.change);
      sessions.push(...ended);
      return changed;
    });
    if (!preview) auth.forget(sessions);
    return answer;
  });
};
