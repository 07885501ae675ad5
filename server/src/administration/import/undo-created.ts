// Deletes what a loaded table has created, while nothing depends on it.
import type { ImportKind } from '@ridewatch/contract/admin-import';
import { sql } from 'kysely';
import { type Actor, insertAudits } from '../../core/audit.ts';
import type { Tx } from '../../core/db/db.ts';
import { hasErrorCode } from '../../core/errors.ts';
import type { Viewer } from '../../core/viewer.ts';
import { deleteBusSettings } from '../../days/bus-settings.ts';
import { knownRoutes, listBeyond } from './known.ts';
import { NotUndone } from './not-undone.ts';
import { lotsOf } from './row-plan.ts';
import { readStored } from './stored.ts';
import type { LoggedCommand } from './undo-changes.ts';
import { useBy } from './undo-uses.ts';

const STILL_REFERENCED = '23503';

interface Deleted {
  readonly objectType: 'camera' | 'unit' | 'workplace' | 'route_group' | 'user' | 'client';
  readonly kind: ImportKind | 'routes';
  readonly action: string;
  /** Deletes rows of another room. */
  readonly first?: (tx: Tx, ids: readonly number[]) => Promise<void>;
  /** The table of the objects, after the tables of what was created with them or follows from them without data. */
  readonly tables: readonly (readonly [table: string, column: string])[];
}

/** The kinds of objects in the order of their deletion. An object to which a row of another table refers is in use. */
const deleted: readonly Deleted[] = [
  {
    ...{ objectType: 'camera', kind: 'cameras', action: 'delete_camera' },
    tables: [
      ['camera_states', 'camera_id'],
      ['cameras', 'id'],
    ],
  },
  {
    ...{ objectType: 'unit', kind: 'units', action: 'delete_unit' },
    tables: [
      ['unit_credentials', 'unit_id'],
      ['units', 'id'],
    ],
  },
  {
    ...{ objectType: 'workplace', kind: 'buses', action: 'delete_bus', first: deleteBusSettings },
    tables: [
      // Jobs look at every bus; without people and laps their rows say nothing.
      ...[...['lap_days', 'unsettled_days', 'stale_hours', 'stale_profiles', 'day_traffic']].map(
        (table) => [table, 'workplace_id'] as const,
      ),
      ['watched_buses', 'workplace_id'],
      ['bus_owners', 'workplace_id'],
      ['workplaces', 'id'],
    ],
  },
  {
    ...{ objectType: 'route_group', kind: 'routes', action: 'delete_route' },
    tables: [['route_groups', 'id']],
  },
  {
    ...{ objectType: 'user', kind: 'users', action: 'delete_user' },
    tables: [
      ['password_links', 'user_id'],
      ['users', 'id'],
    ],
  },
  {
    ...{ objectType: 'client', kind: 'customers', action: 'delete_client' },
    tables: [['clients', 'id']],
  },
];

/**
 * Deletes objects.
 * @param commands those that created them
 * @throws NotUndone when one is in use, or the user no longer administers it
 */
export async function deleteCreated(
  tx: Tx,
  viewer: Viewer,
  actor: Actor,
  commands: readonly LoggedCommand[],
): Promise<void> {
  for (const { objectType, kind, action, first, tables } of deleted) {
    const own = commands.filter(({ object_type }) => object_type === objectType);
    if (own.length === 0) continue;
    const visible = await visibleIds(tx, viewer, kind, actor.atMs);
    const lost = own.find(({ object_id }) => !visible.has(object_id));
    if (lost) throw new NotUndone({ name: nameIn(lost), reason: 'changed' });
    if (kind === 'units') await refuseHeard(tx, own);
    for (const part of lotsOf(own)) {
      await first?.(
        tx,
        part.map(({ object_id }) => object_id),
      );
      await deleteRows(tx, tables, part);
      await insertAudits(
        tx,
        actor,
        part.map(({ object_id: objectId, after: before }) => ({
          ...{ action, objectType, objectId, before },
        })),
      );
    }
  }
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

const nameIn = ({ after }: LoggedCommand): string =>
  String(after?.name ?? after?.login ?? after?.device_id ?? '');

// Positions and people name the unit without a reference. The lock makes a unit that reports now wait.
async function refuseHeard(tx: Tx, units: readonly LoggedCommand[]): Promise<void> {
  const ids = units.map(({ object_id }) => object_id);
  const { rows } = await sql<{ device_id: string; isHeard: boolean }>`
    select device_id, last_seen_at is not null as "isHeard" from units
    where id = any(${ids}::bigint[]) order by id for update`.execute(tx);
  const heard = rows.find(({ isHeard }) => isHeard);
  if (heard) throw new NotUndone({ name: heard.device_id, reason: 'records' });
}

async function deleteRows(
  tx: Tx,
  tables: Deleted['tables'],
  commands: readonly LoggedCommand[],
): Promise<void> {
  const ids = commands.map(({ object_id }) => object_id);
  try {
    for (const [table, column] of tables) {
      await sql`delete from ${sql.table(table)}
        where ${sql.ref(column)} = any(${ids}::bigint[])`.execute(tx);
    }
  } catch (error) {
    if (!hasErrorCode(error, STILL_REFERENCED)) throw error;
    // The database names the row: `Key (id)=(7) is still referenced from table "laps".`
    const detail = error instanceof Error && 'detail' in error ? String(error.detail) : '';
    const id = Number(/=\((\d+)\)/.exec(detail)?.[1]);
    const used = commands.find(({ object_id }) => object_id === id) ?? commands[0];
    const table = error instanceof Error && 'table' in error ? String(error.table) : '';
    throw new NotUndone({ name: used ? nameIn(used) : '', reason: useBy(table) });
  }
}
