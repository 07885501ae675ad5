import * as contract from '@ridewatch/contract/stats';
import { findBus } from '../access/bus.ts';
import { serve } from '../core/http/http.ts';
import type { Feature } from '../deps.ts';
import { buildPassengerTraffic } from './answers.ts';
import { buildDayResults } from './day-results.ts';
import { buildDayTraffic } from './day-traffic.ts';
import { readSelection } from './selection.ts';

/** Statistics of people and revenue. */
export const addStats: Feature = (app, deps, auth) => {
  const { db } = deps.database;

  serve(app, auth, contract.findPassengerTraffic, 'user', async ({ viewer, query }) => {
    const selection = await readSelection(db, viewer, query, query.groupby === 'bus');
    return buildPassengerTraffic(db, selection, query.groupby, query.tick);
  });

  serve(app, auth, contract.findDayTraffic, 'user', async ({ viewer, query }) => {
    const { items, pending } = await buildDayTraffic(
      db,
      await readSelection(db, viewer, query, false),
      query.by,
    );
    return { items, number: 0, total: items.length, pending };
  });

  serve(app, auth, contract.findDayResults, 'user', async ({ viewer, query }) =>
    buildDayResults(db, await findBus(db, viewer, query.workplaceId), query.date),
  );
};
