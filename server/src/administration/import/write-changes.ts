// Changes stored objects as their forms do, with the same rules and audit rows; buses in lots, others one by one.
import { asAdministered, findAdministeredUser, findUnit } from '../../access/administration.ts';
import { findCamera } from '../../access/camera.ts';
import { findClient } from '../../access/client.ts';
import type { Actor } from '../../core/audit.ts';
import type { Tx } from '../../core/db/db.ts';
import type { Viewer } from '../../core/viewer.ts';
import { changeFields } from '../bus-changes.ts';
import { changeCamera } from '../cameras.ts';
import { changeCustomer } from '../customers.ts';
import type { NewUnit } from '../new-units.ts';
import { changeSettingsOf } from '../settings-changes.ts';
import { changeUnit } from '../units.ts';
import { changeUser } from '../users.ts';
import { type Change, lotsOf } from './row-plan.ts';

/**
 * Changes the objects of a table in the order of their ids, so that two writers wait for each other. The caller has
 * locked them: see `lockFleet`.
 * @param routes ids of new routes by their keys
 * @returns the units that come with buses, and the sessions that ended
 * @throws AppError conflict for an object that somebody has changed since the plan was made
 */
export async function writeChanges(
  tx: Tx,
  viewer: Viewer,
  actor: Actor,
  { changes, routes }: { changes: readonly Change[]; routes: ReadonlyMap<string, number> },
): Promise<{ units: NewUnit[]; ended: string[] }> {
  const units: NewUnit[] = [];
  const ended: string[] = [];
  const ordered = changes.toSorted((a, b) => a.id - b.id);
  const fields = ordered.flatMap((one) =>
    one.kind === 'buses' && one.body ? [{ id: one.id, body: one.body }] : [],
  );
  for (const part of lotsOf(fields)) await changeFields(tx, actor, part);
  const settings = ordered.flatMap((one) => {
    if (one.kind !== 'buses' || !(one.settings || one.newRoute)) return [];
    const group_id = one.newRoute ? routes.get(one.newRoute.key) : one.settings?.group_id;
    return [{ busId: one.id, body: { ...one.settings, group_id } }];
  });
  for (const part of lotsOf(settings)) await changeSettingsOf(tx, viewer, actor, part);
  for (const change of ordered) {
    const { id } = change;
    switch (change.kind) {
      case 'customers':
        await changeCustomer(tx, actor, await findClient(tx, viewer, id), change.body);
        break;
      case 'users': {
        const user = await findAdministeredUser(tx, viewer, id);
        ended.push(...(await changeUser(tx, viewer, actor, user, change.body)).ended);
        break;
      }
      case 'units': {
        const find = async () => asAdministered(viewer, await findUnit(tx, viewer, id));
        await changeUnit(tx, viewer, actor, find, change.body);
        break;
      }
      case 'cameras': {
        const camera = asAdministered(viewer, await findCamera(tx, viewer, id));
        await changeCamera(tx, viewer, actor, camera, change.body);
        break;
      }
      case 'buses': {
        const { name, device } = change;
        if (device !== null) units.push({ device_id: device, bus: { id, name }, client: null });
      }
    }
  }
  return { units, ended };
}
