// Deletes what a loaded table has created, while nothing depends on it.
import type { AuditAction } from '@ridewatch/contract/action-words';
import type { ImportKind } from '@ridewatch/contract/admin-import';
import type { UndoReason } from '@ridewatch/contract/admin-import-undo';
import { sql } from 'kysely';
import { type Actor, insertAudits } from '../../core/audit.ts';
import type { Tx } from '../../core/db/db.ts';
import type { Viewer } from '../../core/viewer.ts';
import { deleteBusSettings } from '../../days/bus-settings.ts';
import { knownRoutes, listBeyond } from './known.ts';
import type { Obstacles } from './not-undone.ts';
import { lotsOf } from './row-plan.ts';
import { readStored } from './stored.ts';
import type { LoggedCommand } from './undo-changes.ts';
import { listUses } from './undo-uses.ts';

interface Deleted {
  readonly objectType: 'camera' | 'unit' | 'workplace' | 'route_group' | 'user' | 'client';
  readonly kind: ImportKind | 'routes';
  readonly action: AuditAction;
  /** The table of the objects. */
  readonly table: string;
  /** Deletes rows of another room. */
  readonly first?: (tx: Tx, ids: readonly number[]) => Promise<void>;
  /** The tables of what was created with them or follows from them without data. */
  readonly with: readonly (readonly [table: string, column: string])[];
}

/** The kinds of objects in the order of their deletion. An object to which a row of another table refers is in use. */
const deleted: readonly Deleted[] = [
  {
    ...{ objectType: 'camera', kind: 'cameras', action: 'delete_camera', table: 'cameras' },
    with: [['camera_states', 'camera_id']],
  },
  {
    ...{ objectType: 'unit', kind: 'units', action: 'delete_unit', table: 'units' },
    with: [['unit_credentials', 'unit_id']],
  },
  {
    ...{ objectType: 'workplace', kind: 'buses', action: 'delete_bus', table: 'workplaces' },
    first: deleteBusSettings,
    with: [
      // Jobs look at every bus; without people and laps their rows say nothing.
      ...[...['lap_days', 'unsettled_days', 'stale_hours', 'stale_profiles', 'day_traffic']].map(
        (table) => [table, 'workplace_id'] as const,
      ),
      ['watched_buses', 'workplace_id'],
      ['bus_owners', 'workplace_id'],
    ],
  },
  {
    ...{ objectType: 'route_group', kind: 'routes', action: 'delete_route', table: 'route_groups' },
    with: [],
  },
  {
    ...{ objectType: 'user', kind: 'users', action: 'delete_user', table: 'users' },
    with: [['password_links', 'user_id']],
  },
  {
    ...{ objectType: 'client', kind: 'customers', action: 'delete_client', table: 'clients' },
    with: [],
  },
];

/**
 * Deletes objects.
 * @param commands those that created them
 * @param obstacles takes the objects that are in use, or that the user no longer administers
 * @throws NotUndone when there are obstacles
 */
export async function deleteCreated(
  tx: Tx,
  viewer: Viewer,
  actor: Actor,
  commands: readonly LoggedCommand[],
  obstacles: Obstacles,
): Promise<void> {
  const kinds = deleted.flatMap((one) => {
    const found = commands.filter(({ object_type }) => object_type === one.objectType);
    // In one order with all others who lock them.
    const own = found.toSorted((a, b) => a.object_id - b.object_id);
    return own.length === 0 ? [] : [{ ...one, own }];
  });
  const created = new Map(kinds.map(({ table, own }) => [table, idsOf(own)]));
  for (const one of kinds) {
    const visible = await visibleIds(tx, viewer, one.kind, actor.atMs);
    for (const each of one.own) {
      if (!visible.has(each.object_id)) obstacles.add(each, nameIn(each), 'changed');
    }
    for (const part of lotsOf(one.own)) await noteUses(tx, one, part, { created, obstacles });
  }
  obstacles.refuse();
  for (const { table, action, objectType, own } of kinds) {
    for (const part of lotsOf(own)) {
      await deleteRows(tx, table, 'id', idsOf(part));
      const rows = part.map(({ object_id: objectId, after: before }) => ({
        ...{ action, objectType, objectId, before },
      }));
      await insertAudits(tx, actor, rows);
    }
  }
}

const idsOf = (commands: readonly LoggedCommand[]): number[] =>
  commands.map(({ object_id }) => object_id);

/** Deletes what goes with some objects, and notes those that are in use. */
async function noteUses(
  tx: Tx,
  { table, kind, first, with: others }: Deleted,
  part: readonly LoggedCommand[],
  known: {
    readonly created: ReadonlyMap<string, readonly number[]>;
    readonly obstacles: Obstacles;
  },
): Promise<void> {
  const ids = idsOf(part);
  const note = ({ id, reason }: { readonly id: number; readonly reason: UndoReason }): void => {
    const used = part.find(({ object_id }) => object_id === id);
    if (used) known.obstacles.add(used, nameIn(used), reason);
  };
  if (kind === 'units') for (const id of await listHeard(tx, ids)) note({ id, reason: 'records' });
  await first?.(tx, ids);
  for (const [other, column] of others) await deleteRows(tx, other, column, ids);
  // Now nobody comes to use them. Not before: a job that has one of these rows would wait for its bus.
  await lockRows(tx, table, ids);
  for (const use of await listUses(tx, table, ids, known.created)) note(use);
}

async function visibleIds(
  tx: Tx,
  viewer: Viewer,
  kind: Deleted['kind'],
  nowMs: number,
): Promise<ReadonlySet<number>> {
  if (kind === 'users') return administeredUsers(tx, viewer, nowMs);
  const seen =
    kind === 'routes'
      ? [...(await knownRoutes(tx, viewer)).values()].flat()
      : await readStored[kind](tx, viewer, nowMs);
  return new Set(seen.map(({ id }) => id));
}

// An integrator neither administers other integrators nor users who see more.
async function administeredUsers(
  tx: Tx,
  viewer: Viewer,
  nowMs: number,
): Promise<ReadonlySet<number>> {
  const tooMuch = await listBeyond(tx, viewer);
  const users = (await readStored.users(tx, viewer, nowMs)).filter(
    ({ role, client }) =>
      viewer.clientIds === 'all' || (role !== 'INTEGRATOR' && !tooMuch.has(client?.id ?? 0)),
  );
  return new Set(users.map(({ id }) => id));
}

/** The name that an object had when a table created it. */
export const nameIn = ({ after }: Pick<LoggedCommand, 'after'>): string =>
  String(after?.name ?? after?.login ?? after?.device_id ?? '');

async function lockRows(tx: Tx, table: string, ids: readonly number[]): Promise<void> {
  await sql`select from ${sql.table(table)} where id = any(${[...ids]}::bigint[])
    order by id for update`.execute(tx);
}

// Positions and people name the unit without a reference. The lock makes a unit that reports now wait.
async function listHeard(tx: Tx, ids: readonly number[]): Promise<number[]> {
  await lockRows(tx, 'units', ids);
  const { rows } = await sql<{ id: number }>`
    select id from units where id = any(${[...ids]}::bigint[]) and last_seen_at is not null
    order by id`.execute(tx);
  return rows.map(({ id }) => id);
}

async function deleteRows(
  tx: Tx,
  table: string,
  column: string,
  ids: readonly number[],
): Promise<void> {
  await sql`delete from ${sql.table(table)}
    where ${sql.ref(column)} = any(${[...ids]}::bigint[])`.execute(tx);
}
