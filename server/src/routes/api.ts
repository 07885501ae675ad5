import { type BusRoute, UNGROUPED } from '@ridewatch/contract/bus-routes';
import * as contract from '@ridewatch/contract/routes';
import { findBus } from '../access/bus.ts';
import { findRoute } from '../access/route.ts';
import { findMove, setRoute } from '../bus-routes/route-of-bus.ts';
import type { Tx } from '../core/db/db.ts';
import { serve } from '../core/http/http.ts';
import { refuseUnseen } from '../core/refuse-unseen.ts';
import { requestSettleOfRoute } from '../days/unsettled.ts';
import type { Feature } from '../deps.ts';
import { changeRoute, findRouteToChange, refuseTakenName, todayOfRoutes } from './change.ts';
import { findRouteRow } from './route-rows.ts';
import { findTrackOn } from './tracks.ts';

/** Routes of customers, and which buses drive them. */
export const addRoutes: Feature = (app, deps, auth) => {
  const { db } = deps.database;
  const now = (): number => deps.clock.nowMs();

  serve(app, auth, contract.findRoute, 'user', async ({ viewer, params, query }) => {
    const route = await findRoute(db, viewer, params.groupId);
    const day = query.date ?? todayOfRoutes(now());
    return { ...(await findRouteRow(db, route.id)), track: await findTrackOn(db, route.id, day) };
  });

  serve(app, auth, contract.updateRoute, 'user', async ({ viewer, actor, params, body }) => {
    const command = { db, viewer, actor, nowMs: now(), validFrom: undefined };
    const find = findRouteToChange(viewer, params.groupId);
    return changeRoute(command, find, async (tx, route, day) => {
      const before = await findRouteRow(tx, route.id);
      refuseUnseen(before, body);
      const after = {
        name: body.name ?? before.name,
        type_calculation: body.type_calculation ?? before.type_calculation,
      };
      await refuseTakenName(() =>
        tx.updateTable('route_groups').set(after).where('id', '=', route.id).execute(),
      );
      if (after.type_calculation !== before.type_calculation) {
        await saveCalculation(tx, before, { type: after.type_calculation, day });
        await requestSettleOfRoute(tx, route.id, day);
      }
      return { action: 'update_route', before, after, answer: { ...before, ...after } };
    });
  });

  serve(
    app,
    auth,
    contract.addBusToRoute,
    'admin',
    async ({ viewer, actor, body }) => {
      const move = { busId: body.workplaceId, routeId: body.groupId };
      await setRoute(db, viewer, actor, move, now(), body.valid_from);
      return undefined;
    },
    ({ viewer, body: { workplaceId: busId, groupId: routeId } }) =>
      findMove(db, viewer, { busId, routeId }),
  );

  serve(
    app,
    auth,
    contract.removeBusFromRoute,
    'admin',
    async ({ viewer, actor, query }) => {
      const move = { busId: query.workplaceId, routeId: UNGROUPED } as const;
      await setRoute(db, viewer, actor, move, now(), query.valid_from);
      return undefined;
    },
    ({ viewer, query }) => findBus(db, viewer, query.workplaceId),
  );
};

/** Before any accepted data. */
const EVER = '2000-01-01';

// Earlier days keep their money, even when a late position has them computed again.
async function saveCalculation(
  tx: Tx,
  before: BusRoute,
  { type, day }: { type: BusRoute['type_calculation']; day: string },
): Promise<void> {
  await tx
    .insertInto('route_calculations')
    .values({ group_id: before.id, valid_from: EVER, type_calculation: before.type_calculation })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await tx
    .insertInto('route_calculations')
    .values({ group_id: before.id, valid_from: day, type_calculation: type })
    .onConflict((conflict) =>
      conflict.columns(['group_id', 'valid_from']).doUpdateSet({ type_calculation: type }),
    )
    .execute();
}
