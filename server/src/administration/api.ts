import type { Feature } from '../deps.ts';
import { addAdminBuses } from './buses-api.ts';
import { addCameras } from './cameras-api.ts';
import { addCustomers } from './customers-api.ts';
import { addUnitFeed } from './feed-api.ts';
import { addAdminGroups } from './groups-api.ts';
import { addAdminOverview } from './overview-api.ts';
import { addUnits } from './units-api.ts';
import { addUsers } from './users-api.ts';
import { addWork } from './work-api.ts';

/** The calls of administrators and integrators. */
export const addAdministration: Feature = async (...server) => {
  for (const add of [
    addAdminOverview,
    addCustomers,
    addUsers,
    addAdminBuses,
    addUnits,
    addUnitFeed,
    addCameras,
    addAdminGroups,
    addWork,
  ]) {
    await add(...server);
  }
};
