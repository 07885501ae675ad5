import * as contract from '@ridewatch/contract/admin-groups';
import { asAdministered, checkAdministers } from '../access/administration.ts';
import { findClient, findClients } from '../access/client.ts';
import { findRoute } from '../access/route.ts';
import { findClassifier } from '../access/stop.ts';
import { lockRights } from '../auth/accounts.ts';
import type { Db } from '../core/db/db.ts';
import { serve } from '../core/http/http.ts';
import type { Viewer } from '../core/viewer.ts';
import type { Feature } from '../deps.ts';
import {
  changeClassifier,
  createGroup,
  deleteGroup,
  listClassifiers,
  listGroups,
  mergeClassifier,
  readClassifier,
  readGroup,
} from './groups.ts';
import { lockRightsOver } from './lock-rights.ts';

/** Routes, and stops as places. */
export const addAdminGroups: Feature = (app, { database: { db }, clock }, auth) => {
  const checkList = async (viewer: Viewer, { clientId }: { clientId?: number | undefined }) => {
    if (clientId !== undefined) await findClients(db, viewer, [clientId]);
    checkAdministers(viewer);
  };
  const route = async (tx: Db, viewer: Viewer, id: number) =>
    asAdministered(viewer, await findRoute(tx, viewer, id));
  const place = async (tx: Db, viewer: Viewer, id: number) =>
    asAdministered(viewer, await findClassifier(tx, viewer, id));

  serve(app, auth, contract.listGroups, 'user', async ({ viewer, query }) => {
    await checkList(viewer, query);
    return listGroups(db, viewer, query, clock.nowMs());
  });

  serve(app, auth, contract.findGroup, 'user', async ({ viewer, params }) =>
    readGroup(db, await route(db, viewer, params.id), clock.nowMs()),
  );

  serve(app, auth, contract.createGroup, 'user', async ({ viewer, actor, body }) => {
    const { client_id } = body;
    asAdministered(viewer, await findClient(db, viewer, client_id));
    return db.transaction().execute(async (tx) => {
      const present = await lockRights(tx, viewer, { clientIds: [client_id] }, 'share');
      asAdministered(present, await findClient(tx, present, client_id));
      return createGroup(tx, actor, body);
    });
  });

  serve(app, auth, contract.deleteGroup, 'user', async ({ viewer, actor, params }) => {
    await route(db, viewer, params.id);
    await db.transaction().execute(async (tx) => {
      const present = await lockRightsOver(tx, viewer);
      await deleteGroup(tx, actor, await route(tx, present, params.id));
    });
    return undefined;
  });

  serve(app, auth, contract.listClassifiers, 'user', async ({ viewer, query }) => {
    await checkList(viewer, query);
    return listClassifiers(db, viewer, query);
  });

  serve(app, auth, contract.findClassifier, 'user', async ({ viewer, params }) =>
    readClassifier(db, await place(db, viewer, params.classifierId)),
  );

  serve(app, auth, contract.updateClassifier, 'user', async ({ viewer, actor, params, body }) => {
    await place(db, viewer, params.classifierId);
    return db.transaction().execute(async (tx) => {
      const present = await lockRightsOver(tx, viewer);
      return changeClassifier(tx, actor, await place(tx, present, params.classifierId), body);
    });
  });

  serve(app, auth, contract.mergeClassifiers, 'user', async ({ viewer, actor, params, body }) => {
    const { clientId } = await place(db, viewer, params.classifierId);
    await place(db, viewer, body.into);
    return db.transaction().execute(async (tx) => {
      // Merging locks the customer by itself: two that shared its row before would wait for each other.
      const present = await lockRights(tx, viewer, { clientIds: [clientId] });
      const from = await place(tx, present, params.classifierId);
      return mergeClassifier(tx, actor, from, await place(tx, present, body.into));
    });
  });
};
