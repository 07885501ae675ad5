import * as contract from '@ridewatch/contract/costs';
import { kopecksOf } from '@ridewatch/contract/money';
import type { RouteStop } from '@ridewatch/contract/routes';
import { findRoute } from '../access/route.ts';
import type { Db } from '../core/db/db.ts';
import { AppError, notFound } from '../core/errors.ts';
import { serve } from '../core/http/http.ts';
import type { Feature } from '../deps.ts';
import { changeRoute, findRouteToChange, type RouteCommand, todayOfRoutes } from './change.ts';
import { type FieldOf, listCostsOn, saveCosts, type WantedCost } from './costs.ts';
import { findOneWayOrder } from './one-way.ts';
import { listPatternStopsOn } from './patterns.ts';
import { stopAnswer } from './stops.ts';

/** The price tables of routes. */
export const addRouteCosts: Feature = (app, deps, auth) => {
  const { db } = deps.database;
  const now = (): number => deps.clock.nowMs();
  const tableOn = async (from: Db, routeId: number, day: string) => {
    const items = await listCostsOn(from, routeId, day);
    const isOneWay = (await findOneWayOrder(from, routeId, day)) !== null;
    const further = await listFurtherStops(from, routeId, day);
    return {
      items,
      number: 0,
      total: items.length,
      further_stops: further,
      one_way: isOneWay && further.length === 0,
    };
  };
  const save = (command: RouteCommand, routeId: number, items: readonly Price[], prefix = '') =>
    changeRoute(command, findRouteToChange(command.viewer, routeId), async (tx, route, day) => {
      const before = await listCostsOn(tx, route.id, day);
      await saveCosts(tx, route.id, day, items.map(wantedOf), fieldIn(prefix));
      const rides = new Set(items.map(rideOf));
      return {
        action: 'set_route_costs',
        before: { items: before.filter((one) => rides.has(rideOf(one))).map(priceOf) },
        after: { items: items.map(priceOf) },
        answer: await tableOn(tx, route.id, day),
      };
    });

  serve(app, auth, contract.listRouteCosts, 'user', async ({ viewer, params, query }) => {
    const route = await findRoute(db, viewer, params.groupId);
    return tableOn(db, route.id, query.date ?? todayOfRoutes(now()));
  });

  serve(app, auth, contract.setRouteCosts, 'user', async ({ viewer, actor, body }) => {
    const command = { db, viewer, actor, nowMs: now(), validFrom: body.valid_from };
    return save(command, body.group_id, body.items, 'items');
  });

  serve(app, auth, contract.insertRouteCost, 'user', async ({ viewer, actor, body }) => {
    const command = { db, viewer, actor, nowMs: now(), validFrom: body.valid_from };
    return oneOf((await save(command, body.group_id, [body])).items, body);
  });

  serve(app, auth, contract.updateRouteCost, 'user', async ({ viewer, actor, params, body }) => {
    const route = await findRoute(db, viewer, body.group_id);
    const row = await db
      .selectFrom('route_costs')
      .select(['from_stop_id', 'to_stop_id'])
      .where('id', '=', params.routeCostId)
      .where('group_id', '=', route.id)
      .executeTakeFirst();
    if (row === undefined) throw notFound();
    for (const field of ['from_stop_id', 'to_stop_id'] as const) {
      if (body[field] === row[field]) continue;
      throw new AppError('invalid_request', 'is not the stop of this price', { field });
    }
    const command = { db, viewer, actor, nowMs: now(), validFrom: body.valid_from };
    return oneOf((await save(command, route.id, [body])).items, body);
  });
};

async function listFurtherStops(db: Db, routeId: number, day: string): Promise<RouteStop[]> {
  const stops = await listPatternStopsOn(db, routeId, day);
  const order = { FORWARD: 0, REVERSE: 0 };
  const numbered = stops.map((stop) => {
    const orderKey = order[stop.routeDirection];
    order[stop.routeDirection] += 1;
    return { ...stop, orderKey };
  });
  return numbered.flatMap((stop) => (stop.inDefault ? [] : stopAnswer(stop, routeId)));
}

interface Ride {
  readonly from_stop_id: number;
  readonly to_stop_id: number;
}

interface Price extends Ride {
  readonly cost: string | null;
  readonly seen?: { readonly cost: string | null } | undefined;
}

const rideOf = ({ from_stop_id, to_stop_id }: Ride): string => `${from_stop_id}:${to_stop_id}`;

const priceOf = ({ from_stop_id, to_stop_id, cost }: Price) => ({
  from_stop_id,
  to_stop_id,
  cost,
});

const fieldIn =
  (prefix: string): FieldOf =>
  (index, which) =>
    `${prefix === '' ? '' : `${prefix}.${index}.`}${which === 'seen.cost' ? which : `${which}_stop_id`}`;

const kopecksOrNone = (cost: string | null): number | null =>
  cost === null ? null : kopecksOf(cost);

const wantedOf = ({ from_stop_id, to_stop_id, cost, seen }: Price): WantedCost => ({
  from: from_stop_id,
  to: to_stop_id,
  kopecks: kopecksOrNone(cost),
  seenKopecks: seen && kopecksOrNone(seen.cost),
});

function oneOf<T extends Ride>(items: readonly T[], ride: Ride): T {
  const found = items.find((one) => rideOf(one) === rideOf(ride));
  if (found === undefined) throw new Error('The saved price was not found.');
  return found;
}
