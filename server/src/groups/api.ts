import * as contract from '@ridewatch/contract/groups';
import { findClient } from '../access.ts';
import type { Feature } from '../app.ts';
import { serve } from '../http.ts';
import { listClientGroups, setGroup } from './queries.ts';

/** Route groups of customers, and which bus is in which. */
export const addGroups: Feature = (app, deps, auth) => {
  const { db } = deps.database;
  serve(app, auth, contract.listClientGroups, 'user', async ({ viewer, params }) => {
    const client = await findClient(db, viewer, params.customerId);
    const items = await listClientGroups(db, client.id);
    return { items, number: 0, total: items.length };
  });
  serve(app, auth, contract.setGroup, 'admin', async ({ viewer, actor, body }) => {
    const group = await setGroup(db, viewer, actor, body, deps.clock.nowMs());
    return { workplaceId: body.workplaceId, group };
  });
};
