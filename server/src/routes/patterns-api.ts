import type { ResponseOf } from '@ridewatch/contract/endpoint';
import * as contract from '@ridewatch/contract/route-patterns';
import { findRoute, findRouteOfPattern } from '../access/route.ts';
import type { Db, Tx } from '../core/db/db.ts';
import { serve } from '../core/http/http.ts';
import { languageOf } from '../core/http/language.ts';
import { refuseUnseen } from '../core/refuse-unseen.ts';
import type { Feature } from '../deps.ts';
import { changeRoute, findRouteToChange, todayOfRoutes } from './change.ts';
import {
  changePattern,
  insertPattern,
  listPatternsOn,
  makeDefault,
  patternAnswer,
  patternOf,
  removePattern,
} from './patterns.ts';
import { listAllStopsOn, stopAnswer } from './stops.ts';

/** The patterns of routes. */
export const addRoutePatterns: Feature = (app, deps, auth) => {
  const { db } = deps.database;
  const now = (): number => deps.clock.nowMs();

  serve(app, auth, contract.listRoutePatterns, 'user', async ({ viewer, params, query }) => {
    const route = await findRoute(db, viewer, params.groupId);
    return patternsAnswer(db, route.id, query.date ?? todayOfRoutes(now()));
  });

  serve(app, auth, contract.insertRoutePattern, 'user', async ({ viewer, actor, params, body }) => {
    const { name, stop_ids: stopIds, valid_from: validFrom } = body;
    const command = { db, viewer, actor, nowMs: now(), validFrom };
    const find = findRouteToChange(viewer, params.groupId);
    return changeRoute(command, find, async (tx, route, day) => {
      const id = await insertPattern(tx, route.id, day, { name, stopIds, track: null });
      return {
        action: 'insert_route_pattern',
        after: { id, name, stop_ids: stopIds },
        answer: await patternsAnswer(tx, route.id, day),
      };
    });
  });

  serve(
    app,
    auth,
    contract.updateRoutePattern,
    'user',
    async ({ request, viewer, actor, params: { patternId: id }, body }) => {
      const { name, stop_ids: stopIds, valid_from: validFrom } = body;
      const command = { db, viewer, actor, nowMs: now(), validFrom };
      const find = (tx: Tx) => findRouteOfPattern(tx, viewer, id);
      return changeRoute(command, find, async (tx, route, day) => {
        const before = patternOf(await listPatternsOn(tx, route.id, day), id);
        refuseUnseen(before, body);
        if (name !== undefined || stopIds !== undefined) {
          await changePattern(tx, route.id, day, id, { name, stopIds });
        }
        if (body.default === true) {
          const language = languageOf(request.headers['accept-language']);
          // The places were checked when its stops came in.
          await makeDefault(tx, route, day, id, { language, confirmFar: true });
        }
        const answer = await patternsAnswer(tx, route.id, day);
        return {
          action: 'update_route_pattern',
          before: patternAnswer(before),
          after: answer.items.find((one) => one.id === id) ?? { id },
          answer,
        };
      });
    },
  );

  serve(
    app,
    auth,
    contract.deleteRoutePattern,
    'user',
    async ({ viewer, actor, params: { patternId: id }, query }) => {
      const command = { db, viewer, actor, nowMs: now(), validFrom: query.valid_from };
      const find = (tx: Tx) => findRouteOfPattern(tx, viewer, id);
      return changeRoute(command, find, async (tx, route, day) => {
        const before = patternOf(await listPatternsOn(tx, route.id, day), id);
        await removePattern(tx, route.id, day, id);
        return {
          action: 'delete_route_pattern',
          before: patternAnswer(before),
          after: { id },
          answer: await patternsAnswer(tx, route.id, day),
        };
      });
    },
  );
};

async function patternsAnswer(
  db: Db,
  routeId: number,
  day: string,
): Promise<ResponseOf<typeof contract.listRoutePatterns>> {
  const patterns = await listPatternsOn(db, routeId, day);
  return {
    items: patterns.map(patternAnswer),
    number: 0,
    total: patterns.length,
    stops: (await listAllStopsOn(db, routeId, day)).map((stop) => stopAnswer(stop, routeId)),
  };
}
