import * as contract from '@ridewatch/contract/first-steps';
import { asAdministered, findUnit } from '../access/administration.ts';
import { serve } from '../core/http/http.ts';
import type { Feature } from '../deps.ts';
import { readArrivals, readFirstSteps } from './first-steps.ts';

/** How far a new installation is, and what a unit that is being connected has sent. */
export const addFirstSteps: Feature = (app, deps, auth) => {
  const { database, clock } = deps;
  const { db } = database;
  const readSteps = () => readFirstSteps(deps);
  serve(app, auth, contract.findFirstSteps, 'admin', readSteps, 'nothing');

  serve(app, auth, contract.findArrivals, 'user', async ({ viewer, params }) => {
    const unit = asAdministered(viewer, await findUnit(db, viewer, params.unitId));
    return readArrivals(db, unit, clock.nowMs());
  });
};
