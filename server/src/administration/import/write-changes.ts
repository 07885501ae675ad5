// Changes stored objects as their forms do, one after the other, with the same rules and audit rows.
import type { ImportKind } from '@ridewatch/contract/admin-import';
import { asAdministered, findAdministeredUser, findUnit } from '../../access/administration.ts';
import { findBus } from '../../access/bus.ts';
import { findCamera } from '../../access/camera.ts';
import { findClient } from '../../access/client.ts';
import type { Actor } from '../../core/audit.ts';
import type { Tx } from '../../core/db/db.ts';
import type { Viewer } from '../../core/viewer.ts';
import { lockBatches } from '../../days/bus-days.ts';
import { changeFields, changeSettings } from '../bus-changes.ts';
import { changeCamera } from '../cameras.ts';
import { changeCustomer } from '../customers.ts';
import { changeUnit, type NewUnit } from '../units.ts';
import { changeUser } from '../users.ts';
import { type Change, lotsOf } from './row-plan.ts';

type Of<Kind extends ImportKind> = Extract<Change, { kind: Kind }>;

/**
 * Changes the objects of a table in the order of their ids, so that two writers wait for each other.
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
  const buses = changes.filter(({ kind }) => kind === 'buses').map(({ id }) => id);
  if (buses.length > 0) await lockBatches(tx, ...buses);
  const ordered = changes.toSorted((a, b) => a.id - b.id);
  const fields = ordered.flatMap((one) =>
    one.kind === 'buses' && one.body ? [{ id: one.id, body: one.body }] : [],
  );
  for (const part of lotsOf(fields)) await changeFields(tx, actor, part);
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
        await changeCamera(tx, actor, camera, change.body);
        break;
      }
      case 'buses':
        units.push(...(await writeBus(tx, viewer, actor, { change, routes })));
    }
  }
  return { units, ended };
}

async function writeBus(
  tx: Tx,
  viewer: Viewer,
  actor: Actor,
  { change, routes }: { change: Of<'buses'>; routes: ReadonlyMap<string, number> },
): Promise<NewUnit[]> {
  const { id, name, settings, newRoute, device } = change;
  if (settings || newRoute) {
    const bus = asAdministered(viewer, await findBus(tx, viewer, id));
    const group_id = newRoute ? routes.get(newRoute.key) : settings?.group_id;
    await changeSettings(tx, viewer, actor, bus, { ...settings, group_id });
  }
  return device === null ? [] : [{ device_id: device, bus: { id, name }, client: null }];
}
