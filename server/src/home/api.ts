import type { QueryOf } from '@ridewatch/contract/endpoint';
import {
  findHome,
  HOME_KEPT_MS,
  listMapRoutes,
  listPlaces,
  MAP_ROUTES_KEPT_MS,
  PLACES_KEPT_MS,
} from '@ridewatch/contract/home';
import { viewerOfClient } from '../access/client.ts';
import { BUSES_CHANNEL } from '../buses/announce.ts';
import { listen } from '../core/db/listen.ts';
import { serve } from '../core/http/http.ts';
import { sendCached } from '../core/http/send-cached.ts';
import { createSharedAnswers } from '../core/http/shared-answers.ts';
import type { Feature } from '../deps.ts';
import { buildHome } from './home.ts';
import { listBusPlaces } from './places.ts';
import { readMapRoutes } from './routes.ts';

/** The day at a glance, where all buses are, and their routes. */
export const addHome: Feature = async (app, deps, auth) => {
  const {
    database: { db },
    clock,
  } = deps;
  const figures = createSharedAnswers(clock, HOME_KEPT_MS);
  const places = createSharedAnswers(clock, PLACES_KEPT_MS);
  const routes = createSharedAnswers(clock, MAP_ROUTES_KEPT_MS);
  // A bus that has left a customer leaves cached answers, too.
  const forget = () => {
    figures.forget();
    places.forget();
    routes.forget();
  };
  app.addHook('onClose', await listen(deps, BUSES_CHANNEL, forget));

  serve(app, auth, findHome, 'user', async ({ viewer, query, request, reply }) => {
    const narrowed = await viewerOfClient(db, viewer, query.clientId, clock.nowMs());
    const build = () => buildHome(db, viewer, narrowed, clock.nowMs());
    return sendCached(request, reply, await figures.find(viewer, questionOf(query), build));
  });

  serve(app, auth, listPlaces, 'user', async ({ viewer, query, request, reply }) => {
    const narrowed = await viewerOfClient(db, viewer, query.clientId, clock.nowMs());
    const build = async () => {
      const items = await listBusPlaces(db, narrowed, clock.nowMs());
      return { items, number: 0, total: items.length };
    };
    return sendCached(request, reply, await places.find(viewer, questionOf(query), build));
  });

  serve(app, auth, listMapRoutes, 'user', async ({ viewer, query, request, reply }) => {
    const narrowed = await viewerOfClient(db, viewer, query.clientId, clock.nowMs());
    const build = async () => {
      const items = await readMapRoutes(db, narrowed, clock.nowMs());
      return { items, number: 0, total: items.length };
    };
    return sendCached(request, reply, await routes.find(viewer, questionOf(query), build));
  });
};

const questionOf = ({ clientId }: QueryOf<typeof findHome>): string => String(clientId ?? 'all');
