import type { Feature } from '../deps.ts';
import { addAdminBuses } from './buses-api.ts';
import { addCameras } from './cameras-api.ts';
import { addCustomers } from './customers-api.ts';
import { addUnitFeed } from './feed-api.ts';
import { addFirstSteps } from './first-steps-api.ts';
import { addAdminGroups } from './groups-api.ts';
import { addImport } from './import/api.ts';
import { addApiKeys } from './keys-api.ts';
import { addAdminNews } from './news-api.ts';
import { addAdminOverview } from './overview-api.ts';
import { addSeveral } from './several-api.ts';
import { addUnitPorts } from './unit-ports-api.ts';
import { addUnits } from './units-api.ts';
import { addUnknownUnits } from './unknown-units-api.ts';
import { addUpstreams } from './upstreams-api.ts';
import { addUsers } from './users-api.ts';
import { addWork } from './work-api.ts';

/** The calls of administrators and integrators. */
export const addAdministration: Feature = async (...server) => {
  for (const add of [
    addAdminOverview,
    addCustomers,
    addUsers,
    addApiKeys,
    addAdminBuses,
    addUnits,
    addUnitPorts,
    addUnknownUnits,
    addUpstreams,
    addUnitFeed,
    addFirstSteps,
    addCameras,
    addAdminGroups,
    addWork,
    addImport,
    addAdminNews,
    addSeveral,
  ]) {
    await add(...server);
  }
};
