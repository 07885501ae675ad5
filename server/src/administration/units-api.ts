import type { AuditAction } from '@ridewatch/contract/action-words';
import * as contract from '@ridewatch/contract/admin-units';
import { asAdministered, checkAdministers, findUnit } from '../access/administration.ts';
import { findBus } from '../access/bus.ts';
import { findClients } from '../access/client.ts';
import { endUnitCredentials, issueUnitCredential } from '../auth/accounts.ts';
import { type Actor, insertAudit } from '../core/audit.ts';
import type { Db, Tx } from '../core/db/db.ts';
import { serve } from '../core/http/http.ts';
import type { Viewer } from '../core/viewer.ts';
import type { Feature } from '../deps.ts';
import { lockRightsOver } from './lock-rights.ts';
import { lockUnit } from './lock-unit.ts';
import { changeUnit, createUnit, listUnits, readUnit } from './units.ts';

const HOUR_MS = 3_600_000;

/** Units and their credentials. */
export const addUnits: Feature = (app, { database: { db }, clock }, auth) => {
  const finder =
    (own: Db, viewer: Viewer, { unitId }: { unitId: number }) =>
    async () =>
      asAdministered(viewer, await findUnit(own, viewer, unitId));

  serve(app, auth, contract.listUnits, 'user', async ({ viewer, query }) => {
    if (query.clientId !== undefined) await findClients(db, viewer, [query.clientId]);
    checkAdministers(viewer);
    return listUnits(db, viewer, query, clock.nowMs());
  });

  serve(app, auth, contract.findUnit, 'user', async ({ viewer, params }) => {
    const unit = asAdministered(viewer, await findUnit(db, viewer, params.unitId));
    return readUnit(db, unit, clock.nowMs());
  });

  serve(app, auth, contract.createUnit, 'user', async ({ viewer, actor, body }) => {
    if (body.bus_id) await findBus(db, viewer, body.bus_id);
    if (body.client_id) await findClients(db, viewer, [body.client_id]);
    checkAdministers(viewer);
    return db.transaction().execute(async (tx) => {
      const present = await lockRightsOver(tx, viewer);
      checkAdministers(present);
      return createUnit(tx, present, actor, body);
    });
  });

  serve(app, auth, contract.updateUnit, 'user', async ({ viewer, actor, params, body }) => {
    await finder(db, viewer, params)();
    return db.transaction().execute(async (tx) => {
      // The unit stays in its new bus when the user's rights have ended.
      const present = await lockRightsOver(tx, viewer);
      const { row } = await changeUnit(tx, present, actor, finder(tx, present, params), body);
      return row;
    });
  });

  serve(app, auth, contract.rotateCredential, 'user', async ({ viewer, actor, params }) => {
    await finder(db, viewer, params)();
    return db.transaction().execute(async (tx) => {
      // A credential outlives the rights of the user who makes it.
      const present = await lockRightsOver(tx, viewer);
      const unit = await lockUnit(tx, finder(tx, present, params));
      // The unit goes on sending until somebody has given it the new one.
      const endsMs = actor.atMs + contract.ROTATION_HOURS * HOUR_MS;
      const ending = await endUnitCredentials(tx, unit.id, endsMs, actor.atMs);
      const credential = await issueUnitCredential(tx, unit.id, actor.atMs);
      await auditCredentials(tx, actor, unit.id, 'rotate_credential', { ending });
      return { unit: await readUnit(tx, unit, actor.atMs), credential };
    });
  });

  serve(app, auth, contract.revokeCredentials, 'user', async ({ viewer, actor, params }) => {
    await finder(db, viewer, params)();
    return db.transaction().execute(async (tx) => {
      const present = await lockRightsOver(tx, viewer);
      const unit = await lockUnit(tx, finder(tx, present, params));
      const ended = await endUnitCredentials(tx, unit.id, actor.atMs, actor.atMs);
      await auditCredentials(tx, actor, unit.id, 'revoke_credentials', { ended });
      return readUnit(tx, unit, actor.atMs);
    });
  });
};

function auditCredentials(
  tx: Tx,
  actor: Actor,
  unitId: number,
  action: AuditAction,
  after: object,
): Promise<void> {
  return insertAudit(tx, actor, { action, objectType: 'unit', objectId: unitId, after });
}
