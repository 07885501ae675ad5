import { setUpFleet } from '@ridewatch/contract/fleet';
import { sql } from 'kysely';
import { issueUnitCredential } from '../auth/accounts.ts';
import { writeAsAdministrator } from '../auth/lock-administrator.ts';
import { announceBusChange } from '../buses/announce.ts';
import { insertAudit } from '../core/audit.ts';
import { serve } from '../core/http/http.ts';
import type { Feature } from '../deps.ts';
import { setUpCustomers } from './set-up.ts';

/**
 * Key of the advisory lock: concurrent plans take turns, or they would create one customer twice. Any constant will do.
 */
const SET_UP_LOCK = 7_236_520;

/** Setting up a fleet in one call. */
export const addFleet: Feature = (app, deps, auth) => {
  serve(
    app,
    auth,
    setUpFleet,
    'admin',
    ({ viewer, body, actor }) =>
      writeAsAdministrator(deps.database.db, viewer, async (tx) => {
        await sql`select pg_advisory_xact_lock(${SET_UP_LOCK})`.execute(tx);
        const { customers, units, made } = await setUpCustomers(tx, viewer, body, actor.atMs);
        const issued = [];
        for (const { unitId, deviceId, busId } of units) {
          issued.push({
            device_id: deviceId,
            bus_id: busId,
            credential: await issueUnitCredential(tx, unitId, actor.atMs),
          });
        }
        await insertAudit(tx, actor, {
          action: 'set_up_fleet',
          objectType: 'fleet',
          after: { made, units: units.map(({ deviceId }) => deviceId) },
        });
        await announceBusChange(tx);
        return { customers: [...customers], units: issued };
      }),
    'nothing',
  );
};
