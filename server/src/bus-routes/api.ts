import * as contract from '@ridewatch/contract/bus-routes';
import type { BodyOf } from '@ridewatch/contract/endpoint';
import { MAX_PAGE_SIZE } from '@ridewatch/contract/paging';
import { findBus } from '../access/bus.ts';
import { findClient, findClients } from '../access/client.ts';
import { isVisibleClient } from '../access/visible.ts';
import type { Db } from '../core/db/db.ts';
import { AppError } from '../core/errors.ts';
import { serve } from '../core/http/http.ts';
import type { Feature } from '../deps.ts';
import { findMove, listClientRoutes, type Move, setRoute } from './route-of-bus.ts';
import { searchRoutes } from './search.ts';

const PAGE = 10;

/** The routes of customers, and which bus is on which. */
export const addBusRoutes: Feature = (app, deps, auth) => {
  const { db } = deps.database;

  serve(app, auth, contract.listClientRoutes, 'user', async ({ viewer, params }) => {
    const client = await findClient(db, viewer, params.customerId);
    const items = await listClientRoutes(db, client.id);
    return { items, number: 0, total: items.length };
  });

  serve(app, auth, contract.searchRoutes, 'user', async ({ viewer, query }) => {
    const size = Number(query.perPage ?? PAGE);
    if (size > MAX_PAGE_SIZE) {
      throw new AppError('invalid_request', `is at most ${MAX_PAGE_SIZE}`, { field: 'perPage' });
    }
    const named = [query.clientIds ?? []].flat();
    await findClients(db, viewer, named);
    if (query.workplaceId !== undefined) {
      const bus = await findBus(db, viewer, query.workplaceId);
      const owners = await listOwners(db, bus.id);
      named.push(...owners.filter((id) => isVisibleClient(viewer, id)));
    }
    const isNamed = query.clientIds !== undefined || query.workplaceId !== undefined;
    return searchRoutes(db, {
      clientIds: isNamed ? named : viewer.clientIds,
      name: query.name ?? '',
      size,
      page: Number(query.page ?? 0),
    });
  });

  serve(
    app,
    auth,
    contract.setRoute,
    'admin',
    async ({ viewer, actor, body }) => {
      const move = moveOf(body);
      const group = await setRoute(db, viewer, actor, move, deps.clock.nowMs());
      return { workplaceId: body.workplaceId, group };
    },
    ({ viewer, body }) => findMove(db, viewer, moveOf(body)),
  );
};

function moveOf(body: BodyOf<typeof contract.setRoute>): Move {
  return { busId: body.workplaceId, routeId: body.groupId };
}

async function listOwners(db: Db, busId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('workplace_clients')
    .select('client_id')
    .where('workplace_id', '=', busId)
    .execute();
  return rows.map(({ client_id }) => client_id);
}
