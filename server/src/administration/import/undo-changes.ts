// Sets back what a loaded table has changed, as forms would: the audit log has the fields as they were and became.
import type { UndoObstacle } from '@ridewatch/contract/admin-import';
import type { Named } from '@ridewatch/contract/paging';
import { sql } from 'kysely';
import { asAdministered, findAdministeredUser, findUnit } from '../../access/administration.ts';
import { findBusIds } from '../../access/bus.ts';
import { findCamera } from '../../access/camera.ts';
import { findClient } from '../../access/client.ts';
import type { Actor } from '../../core/audit.ts';
import type { Tx } from '../../core/db/db.ts';
import { AppError } from '../../core/errors.ts';
import type { Viewer } from '../../core/viewer.ts';
import { changeFields, type FieldsOfBus } from '../bus-changes.ts';
import { changeCamera } from '../cameras.ts';
import { changeCustomer } from '../customers.ts';
import { checkChoosesRoutes, restoreSettingsOf } from '../settings-changes.ts';
import { changeUnit } from '../units.ts';
import { changeUser } from '../users.ts';
import { NotUndone } from './not-undone.ts';
import { lotsOf } from './row-plan.ts';

const isOfRoute = ({ action, before, after }: LoggedCommand): boolean =>
  action === 'set_bus_settings' && before?.group_id !== after?.group_id;

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
 * Undoes changes. The caller has locked the objects: see `lockFleet`.
 * @param commands those that changed something, the latest first
 * @returns sessions that ended, as their users got other rights
 * @throws NotUndone when somebody has changed one of the fields since, or may no longer change them; AppError no_right
 *   for routes that an integrator would set
 */
export async function undoChanges(
  tx: Tx,
  viewer: Viewer,
  actor: Actor,
  commands: readonly LoggedCommand[],
): Promise<string[]> {
  if (commands.some(isOfRoute)) checkChoosesRoutes(viewer);
  const obstacleOf = await readObstacles(tx, commands);
  const buses = commands.filter(({ object_type }) => object_type === 'workplace');
  const ordered = buses.toSorted((a, b) => a.object_id - b.object_id);
  await undoLots(ordered, 'set_bus', obstacleOf, async (part) => {
    const ids = part.map(({ object_id }) => object_id);
    asAdministered(viewer, await findBusIds(tx, viewer, ids));
    const fields = part.map((one) => ({
      id: one.object_id,
      body: bodyOf(one) as FieldsOfBus['body'],
    }));
    await changeFields(tx, actor, fields);
  });
  await undoLots(ordered, 'set_bus_settings', obstacleOf, (part) =>
    restoreSettingsOf(
      tx,
      viewer,
      actor,
      part.map(({ object_id, before, after }) => ({
        ...{ busId: object_id, before: before ?? {}, after: after ?? {} },
      })),
    ),
  );
  const ended: string[] = [];
  const others = commands.filter(({ object_type }) => object_type !== 'workplace');
  for (const one of others.toSorted((a, b) => a.object_id - b.object_id)) {
    ended.push(...(await named(obstacleOf(one), () => undoChange(tx, viewer, actor, one))));
  }
  return ended;
}

/**
 * Undoes the commands of a name in lots. A lot that is refused has written nothing; its commands one by one show which
 * of them is the obstacle.
 */
async function undoLots(
  commands: readonly LoggedCommand[],
  action: string,
  obstacleOf: ObstacleOf,
  undo: (part: readonly LoggedCommand[]) => Promise<void>,
): Promise<void> {
  for (const part of lotsOf(commands.filter((one) => one.action === action))) {
    try {
      await undo(part);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      for (const one of part) await named(obstacleOf(one), () => undo([one]));
      throw error;
    }
  }
}

/** @returns sessions that ended */
async function undoChange(
  tx: Tx,
  viewer: Viewer,
  actor: Actor,
  command: LoggedCommand,
): Promise<string[]> {
  const { object_type, object_id: id } = command;
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
      // Back at the moment at which it left, it has never been away.
      const movedFrom = command.after?.moved_from as string | undefined;
      await changeUnit(tx, viewer, actor, find, {
        ...bodyOf(command),
        ...(movedFrom !== undefined && { moved_from: movedFrom }),
      });
      return [];
    }
    case 'camera': {
      const camera = asAdministered(viewer, await findCamera(tx, viewer, id));
      await changeCamera(tx, viewer, actor, camera, bodyOf(command));
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

/** Does a change back; what refuses it is an obstacle. */
async function named<T>(obstacle: UndoObstacle, change: () => Promise<T>): Promise<T> {
  try {
    return await change();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new NotUndone(obstacle);
  }
}

const tables = {
  client: sql`select id, name from clients`,
  user: sql`select id, login as name from users`,
  workplace: sql`select id, name from workplaces`,
  unit: sql`select id, device_id as name from units`,
  camera: sql`select id, name from cameras`,
};

type ObstacleOf = (command: LoggedCommand) => UndoObstacle;

// Reads the names of objects before they change: after a statement that a unique key refuses, a transaction reads
// nothing.
async function readObstacles(tx: Tx, commands: readonly LoggedCommand[]): Promise<ObstacleOf> {
  const names = new Map<string, string>();
  for (const [type, own] of Map.groupBy(commands, ({ object_type }) => object_type)) {
    const ids = own.map(({ object_id }) => object_id);
    const { rows } = await sql<Named>`
      ${tables[type as keyof typeof tables]} where id = any(${ids}::bigint[])`.execute(tx);
    for (const { id, name } of rows) names.set(`${type} ${id}`, name);
  }
  return ({ object_type, object_id }) => ({
    ...{ name: names.get(`${object_type} ${object_id}`) ?? '', reason: 'changed' },
  });
}
