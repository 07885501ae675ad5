import type { BodyOf } from '@ridewatch/contract/endpoint';
import * as contract from '@ridewatch/contract/routes';
import type { FastifyRequest } from 'fastify';
import { findRoute, findRouteOfStop } from '../access/route.ts';
import type { Tx } from '../core/db/db.ts';
import { AppError, notFound } from '../core/errors.ts';
import { serve } from '../core/http/http.ts';
import { languageOf } from '../core/http/language.ts';
import { refuseUnseen } from '../core/refuse-unseen.ts';
import type { Feature } from '../deps.ts';
import { changeRoute, findRouteToChange, todayOfRoutes } from './change.ts';
import { editStops } from './replace-patterns.ts';
import type { Entry } from './route-shape.ts';
import {
  listAllStopsOn,
  listStopsOn,
  type StopOnDay,
  stopsAnswer,
  type WantedStop,
} from './stops.ts';

/** The stops of routes, one by one. */
export const addRouteStops: Feature = (app, deps, auth) => {
  const { db } = deps.database;
  const now = (): number => deps.clock.nowMs();

  serve(app, auth, contract.listRouteStops, 'user', async ({ viewer, params, query }) => {
    const route = await findRoute(db, viewer, params.groupId);
    return stopsAnswer(db, route.id, query.date ?? todayOfRoutes(now()));
  });

  serve(
    app,
    auth,
    contract.insertRouteStop,
    'user',
    async ({ request, viewer, actor, params, body }) => {
      const { valid_from: validFrom, confirm_far, orderKey, ...stop } = body;
      const entry = entryOf(request, confirm_far);
      const command = { db, viewer, actor, nowMs: now(), validFrom };
      const find = findRouteToChange(viewer, params.groupId);
      return changeRoute(command, find, async (tx, route, day) => {
        const stops = await listStopsOn(tx, route.id, day);
        const same = stops.filter(({ routeDirection }) => routeDirection === stop.routeDirection);
        // Somebody else may have removed stops since the caller saw the end.
        const at = Math.min(orderKey, same.length);
        // A repeat after a lost answer finds the stop where it was to come.
        if (!isSameStop(same[at], stop)) {
          await editStops(tx, route, day, placed(stops, { ...stop, terminal: null }, at), entry);
        }
        const answer = await stopsAnswer(tx, route.id, day);
        return { action: 'insert_route_stop', after: body, answer };
      });
    },
  );

  serve(
    app,
    auth,
    contract.updateRouteStop,
    'user',
    async ({ request, viewer, actor, params, body }) => {
      const { seen, ...wanted } = body;
      const { valid_from: validFrom, orderKey } = wanted;
      const entry = entryOf(request, wanted.confirm_far);
      const command = { db, viewer, actor, nowMs: now(), validFrom };
      const find = (tx: Tx) => findRouteOfStop(tx, viewer, params.stopId);
      return changeRoute(command, find, async (tx, route, day) => {
        const all = await listAllStopsOn(tx, route.id, day);
        const before = stopOf(all, params.stopId);
        refuseUnseen(before, body);
        const changed = changedStop(before, wanted);
        const others = all.filter(({ id, inDefault }) => inDefault && id !== before.id);
        const turns = changed.routeDirection !== before.routeDirection;
        const at = orderKey ?? (turns ? undefined : before.orderKey);
        // A stop of further patterns only has no place among those of the default one.
        const stops = before.inDefault ? placed(others, changed, at) : [...others, changed];
        await editStops(tx, route, day, stops, entry);
        const answer = await stopsAnswer(tx, route.id, day);
        return { action: 'update_route_stop', before, after: { id: before.id, ...wanted }, answer };
      });
    },
  );

  serve(
    app,
    auth,
    contract.deleteRouteStop,
    'user',
    async ({ request, viewer, actor, params, query }) => {
      const entry = entryOf(request, query.confirm_far === 'true');
      const command = { db, viewer, actor, nowMs: now(), validFrom: query.valid_from };
      const find = (tx: Tx) => findRouteOfStop(tx, viewer, params.stopId);
      return changeRoute(command, find, async (tx, route, day) => {
        // Also a stop of further patterns, or of none.
        const all = await listAllStopsOn(tx, route.id, day);
        const before = stopOf(all, params.stopId);
        refuseUnseenName(before, query.seen_name);
        const others = all.filter(({ id, inDefault }) => inDefault && id !== before.id);
        await editStops(tx, route, day, others, entry, before.id);
        const answer = await stopsAnswer(tx, route.id, day);
        return { action: 'delete_route_stop', before, after: { id: before.id }, answer };
      });
    },
  );

  serve(app, auth, contract.setTerminalStops, 'user', async ({ request, viewer, actor, body }) => {
    const { firstRouteStopId: first, lastRouteStopId: last } = body;
    const command = { db, viewer, actor, nowMs: now(), validFrom: body.valid_from };
    const find = (tx: Tx) => findRouteOfStop(tx, viewer, first);
    return changeRoute(command, find, async (tx, route, day) => {
      const stops = await listStopsOn(tx, route.id, day);
      stopOf(stops, first);
      if (last !== null) stopOf(stops, last);
      const idOf = (which: 'first' | 'last') =>
        stops.find(({ terminal }) => terminal === which)?.id ?? null;
      const stored = { firstRouteStopId: idOf('first'), lastRouteStopId: idOf('last') };
      refuseUnseen(stored, body);
      if (first === last) {
        const field = 'lastRouteStopId';
        throw new AppError('invalid_request', 'is the first terminal', { field });
      }
      const terminals = new Map<number | null, 'first' | 'last'>([
        [last, 'last'],
        [first, 'first'],
      ]);
      // Also of stops that only further patterns have, one of which may become the default again.
      const all = await listAllStopsOn(tx, route.id, day);
      const wanted = all.map((stop) => ({ ...stop, terminal: terminals.get(stop.id) ?? null }));
      await editStops(tx, route, day, wanted, entryOf(request, false));
      const answer = await stopsAnswer(tx, route.id, day);
      return {
        action: 'set_terminal_stops',
        before: { first: stored.firstRouteStopId, last: stored.lastRouteStopId },
        after: { first, last },
        answer,
      };
    });
  });
};

function entryOf({ headers }: FastifyRequest, confirmFar: boolean | undefined): Entry {
  return { language: languageOf(headers['accept-language']), confirmFar: confirmFar === true };
}

/** @throws AppError not_found when the stop is not of the route on that day */
function stopOf(stops: readonly StopOnDay[], id: number): StopOnDay {
  const stop = stops.find((one) => one.id === id);
  if (stop === undefined) throw notFound();
  return stop;
}

// The user meant to remove a stop of this name; somebody else may have made another of it.
function refuseUnseenName({ name }: StopOnDay, seen: string | undefined): void {
  if (seen === undefined || seen === name) return;
  throw new AppError('conflict', `was changed meanwhile: ${name}`, { field: 'seen.name' });
}

function isSameStop(
  known: StopOnDay | undefined,
  added: Pick<StopOnDay, 'name' | 'latitude' | 'longitude'>,
): boolean {
  return (['name', 'latitude', 'longitude'] as const).every(
    (field) => known?.[field] === added[field],
  );
}

// Another name or another place is another classifier.
function changedStop(
  before: StopOnDay,
  { name, latitude, longitude, routeDirection }: BodyOf<typeof contract.updateRouteStop>,
): WantedStop {
  const stop = {
    id: before.id,
    name: name ?? before.name,
    latitude: latitude ?? before.latitude,
    longitude: longitude ?? before.longitude,
    routeDirection: routeDirection ?? before.routeDirection,
    terminal: before.terminal,
    inDefault: before.inDefault,
  };
  const stays = (['name', 'latitude', 'longitude'] as const).every(
    (field) => stop[field] === before[field],
  );
  return stays ? { ...stop, classifierId: before.classifierId } : stop;
}

// Inserts a stop among those of its direction, at the end unless a position is given; the others move on.
function placed(stops: readonly StopOnDay[], added: WantedStop, wanted?: number): WantedStop[] {
  const same = stops.filter(({ routeDirection }) => routeDirection === added.routeDirection);
  const at = wanted ?? same.length;
  if (at > same.length) {
    const reason = `is beyond the end: the route has ${same.length} other stops in this direction`;
    throw new AppError('invalid_request', reason, { field: 'orderKey' });
  }
  const others = stops.filter(({ routeDirection }) => routeDirection !== added.routeDirection);
  return [...others, ...same.slice(0, at), added, ...same.slice(at)];
}
