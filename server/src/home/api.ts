import { findHome, HOME_KEPT_MS, listPlaces, PLACES_KEPT_MS } from '@ridewatch/contract/home';
import { BUSES_CHANNEL } from '../buses/queries.ts';
import { listen } from '../core/db/listen.ts';
import { serve } from '../core/http/http.ts';
import { sendCached } from '../core/http/send-cached.ts';
import { createSharedAnswers } from '../core/http/shared-answers.ts';
import type { Feature } from '../deps.ts';
import { buildHome } from './home.ts';
import { listBusPlaces } from './places.ts';

/** The day at a glance, and where all buses are. */
export const addHome: Feature = async (app, deps, auth) => {
  const {
    database: { db },
    clock,
  } = deps;
  const figures = createSharedAnswers(clock, HOME_KEPT_MS);
  const places = createSharedAnswers(clock, PLACES_KEPT_MS);
  // A bus that has left a customer leaves cached answers, too.
  const forget = () => {
    figures.forget();
    places.forget();
  };
  app.addHook('onClose', await listen(deps, BUSES_CHANNEL, forget));

  serve(app, auth, findHome, 'user', async ({ viewer, request, reply }) => {
    const build = () => buildHome(db, viewer, clock.nowMs());
    return sendCached(request, reply, await figures.find(viewer, '', build));
  });

  serve(app, auth, listPlaces, 'user', async ({ viewer, request, reply }) => {
    const build = async () => {
      const items = await listBusPlaces(db, viewer, clock.nowMs());
      return { items, number: 0, total: items.length };
    };
    return sendCached(request, reply, await places.find(viewer, '', build));
  });
};
