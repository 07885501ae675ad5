// Sets back what a loaded table has changed, as forms would: the audit log has the fields as they were and became.
import type { Named } from '@ridewatch/contract/paging';
import { sql } from 'kysely';
import { asAdministered, findAdministeredUser, findUnit } from '../../access/administration.ts';
import { findBus } from '../../access/bus.ts';
import { findCamera } from '../../access/camera.ts';
import { findClient } from '../../access/client.ts';
import type { Actor } from '../../core/audit.ts';
import type { Tx } from '../../core/db/db.ts';
import { AppError } from '../../core/errors.ts';
import type { Viewer } from '../../core/viewer.ts';
import { lockBatches } from '../../days/bus-days.ts';
import { changeFields, type FieldsOfBus, restoreSettings } from '../bus-changes.ts';
import { changeCamera } from '../cameras.ts';
import { changeCustomer } from '../customers.ts';
import { changeUnit } from '../units.ts';
import { changeUser } from '../users.ts';
import { NotUndone } from './not-undone.ts';
import { lotsOf } from './row-plan.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A command of a loaded table. */
export interface LoggedCommand {
  readonly action: string;
  readonly object_type: string;
  readonly object_id: number;
  readonly before: Fields | null;
  readonly after: Fields | null;
}

/**
 * Undoes changes.
 * @param commands those that changed something, the latest first
 * @returns sessions that ended, as their users got other rights
 * @throws NotUndone when somebody has changed one of the fields since, or may no longer change them
 */
export async function undoChanges(
  tx: Tx,
  viewer: Viewer,
  actor: Actor,
  commands: readonly LoggedCommand[],
): Promise<string[]> {
  const buses = commands.filter(({ object_type }) => object_type === 'workplace');
  if (buses.length > 0) await lockBatches(tx, ...buses.map(({ object_id }) => object_id));
  const fields = commands.filter(({ action }) => action === 'set_bus');
  for (const part of lotsOf(fields)) {
    const lot = part.map((one) => ({
      id: one.object_id,
      body: bodyOf(one) as FieldsOfBus['body'],
    }));
    await named(tx, part[0], () => changeFields(tx, actor, lot));
  }
  const ended: string[] = [];
  const others = commands.filter(({ action }) => action !== 'set_bus');
  for (const one of others.toSorted((a, b) => a.object_id - b.object_id)) {
    ended.push(...(await named(tx, one, () => undoChange(tx, viewer, actor, one))));
  }
  return ended;
}

/** @returns sessions that ended */
async function undoChange(
  tx: Tx,
  viewer: Viewer,
  actor: Actor,
  command: LoggedCommand,
): Promise<string[]> {
  const { object_type, object_id: id, before, after } = command;
  switch (object_type) {
    case 'client':
      await changeCustomer(tx, actor, await findClient(tx, viewer, id), bodyOf(command));
      return [];
    case 'user': {
      const user = await findAdministeredUser(tx, viewer, id);
      return (await changeUser(tx, viewer, actor, user, bodyOf(command))).ended;
    }
    case 'unit': {
      const find = async () => asAdministered(viewer, await findUnit(tx, viewer, id));
      await changeUnit(tx, viewer, actor, find, bodyOf(command));
      return [];
    }
    case 'camera': {
      const camera = asAdministered(viewer, await findCamera(tx, viewer, id));
      await changeCamera(tx, actor, camera, bodyOf(command));
      return [];
    }
    case 'workplace': {
      const bus = asAdministered(viewer, await findBus(tx, viewer, id));
      await restoreSettings(tx, viewer, actor, bus, { before: before ?? {}, after: after ?? {} });
      return [];
    }
    default:
      throw new Error(`A table changes no ${object_type}.`);
  }
}

/** The body of the change back. Forms name customers and buses by their ids. */
function bodyOf({ before, after }: LoggedCommand): { readonly seen: object } {
  const asBody = ({ client, bus, ...fields }: Fields) => ({
    ...fields,
    ...(client !== undefined && { client_id: (client as Named | null)?.id ?? null }),
    ...(bus !== undefined && { bus_id: (bus as Named | null)?.id ?? null }),
  });
  return { ...asBody(before ?? {}), seen: asBody(after ?? {}) };
}

/** Does a change back; what refuses it is an obstacle with the name of its object. */
async function named<T>(
  tx: Tx,
  command: LoggedCommand | undefined,
  change: () => Promise<T>,
): Promise<T> {
  try {
    return await change();
  } catch (error) {
    if (!(error instanceof AppError) || command === undefined) throw error;
    throw new NotUndone({ name: await nameOf(tx, command), reason: 'changed' });
  }
}

const tables = {
  client: sql`select name from clients`,
  user: sql`select login as name from users`,
  workplace: sql`select name from workplaces`,
  unit: sql`select device_id as name from units`,
  camera: sql`select name from cameras`,
};

async function nameOf(tx: Tx, { object_type, object_id }: LoggedCommand): Promise<string> {
  const table = tables[object_type as keyof typeof tables];
  const { rows } = await sql<{ name: string }>`${table} where id = ${object_id}`.execute(tx);
  return rows[0]?.name ?? '';
}
