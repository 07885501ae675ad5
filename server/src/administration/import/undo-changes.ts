// Sets back what a loaded table has changed, as forms would: the audit log has the fields as they were and became.
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
import type { Obstacles } from './not-undone.ts';
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
 * @param obstacles takes the objects one of whose fields somebody has changed since, or may no longer change
 * @returns sessions that ended, as their users got other rights
 * @throws AppError no_right for routes that an integrator would set
 */
export async function undoChanges(
  tx: Tx,
  viewer: Viewer,
  actor: Actor,
  commands: readonly LoggedCommand[],
  obstacles: Obstacles,
): Promise<string[]> {
  if (commands.some(isOfRoute)) checkChoosesRoutes(viewer);
  const names = await readNames(tx, commands);
  const ordered = commands.toSorted((a, b) => a.object_id - b.object_id);
  const undo = async (own: readonly LoggedCommand[], back: Back): Promise<void> => {
    const refuse = (one: LoggedCommand) =>
      obstacles.add(one, names.get(keyOf(one)) ?? '', 'changed');
    for (const part of lotsOf(own)) await undoPart(tx, part, { back, refuse, obstacles });
  };
  const buses = ordered.filter(({ object_type }) => object_type === 'workplace');
  await undo(
    buses.filter(({ action }) => action === 'set_bus'),
    async (part) => {
      const ids = part.map(({ object_id }) => object_id);
      asAdministered(viewer, await findBusIds(tx, viewer, ids));
      const fields = part.map((one) => ({
        id: one.object_id,
        body: bodyOf(one) as FieldsOfBus['body'],
      }));
      await changeFields(tx, actor, fields);
    },
  );
  await undo(
    buses.filter(({ action }) => action === 'set_bus_settings'),
    (part) => {
      const settings = part.map(({ object_id, before, after }) => ({
        ...{ busId: object_id, before: before ?? {}, after: after ?? {} },
      }));
      return restoreSettingsOf(tx, viewer, actor, settings);
    },
  );
  const ended: string[] = [];
  await undo(
    ordered.filter(({ object_type }) => object_type !== 'workplace'),
    async (part) => {
      for (const one of part) ended.push(...(await undoChange(tx, viewer, actor, one)));
    },
  );
  return ended;
}

/** Does some commands back. @throws AppError when one of them is refused */
type Back = (part: readonly LoggedCommand[]) => Promise<void>;

/** Does commands back; of those that are refused it finds each by halves, until enough obstacles are known. */
async function undoPart(
  tx: Tx,
  part: readonly LoggedCommand[],
  how: {
    readonly back: Back;
    readonly refuse: (one: LoggedCommand) => void;
    readonly obstacles: Obstacles;
  },
): Promise<void> {
  if (how.obstacles.isFull()) return;
  // A refusal may come from a statement, after which a transaction goes on from here only.
  await sql`savepoint undo_part`.execute(tx);
  try {
    await how.back(part);
    await sql`release savepoint undo_part`.execute(tx);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    await sql`rollback to savepoint undo_part`.execute(tx);
    await sql`release savepoint undo_part`.execute(tx);
    const [one, ...others] = part;
    if (one && others.length === 0) return how.refuse(one);
    const middle = Math.ceil(part.length / 2);
    for (const half of [part.slice(0, middle), part.slice(middle)]) await undoPart(tx, half, how);
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
      // Back at the moment at which it left, it has never been away; null: it was to have been in the other bus always.
      const movedFrom = command.after?.moved_from as string | null | undefined;
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
  // The log does not have the id of OsmAnd that was there before, so the unit gets another one.
  const isIdLost = after?.has_new_id === true && before?.protocol_id === undefined;
  const asBody = ({ client, bus, ...fields }: Fields) => ({
    ...fields,
    ...(client !== undefined && { client_id: (client as Named | null)?.id ?? null }),
    ...(bus !== undefined && { bus_id: (bus as Named | null)?.id ?? null }),
  });
  const lost = isIdLost ? { protocol_id: null } : {};
  return { ...asBody(before ?? {}), ...lost, seen: asBody(after ?? {}) };
}

const tables = {
  client: sql`select id, name from clients`,
  user: sql`select id, login as name from users`,
  workplace: sql`select id, name from workplaces`,
  unit: sql`select id, device_id as name from units`,
  camera: sql`select id, name from cameras`,
};

const keyOf = ({ object_type, object_id }: LoggedCommand): string => `${object_type} ${object_id}`;

/** Reads the present names of the objects of commands. */
async function readNames(
  tx: Tx,
  commands: readonly LoggedCommand[],
): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  for (const [type, own] of Map.groupBy(commands, ({ object_type }) => object_type)) {
    const ids = own.map(({ object_id }) => object_id);
    const { rows } = await sql<Named>`
      ${tables[type as keyof typeof tables]} where id = any(${ids}::bigint[])`.execute(tx);
    for (const { id, name } of rows) names.set(`${type} ${id}`, name);
  }
  return names;
}
