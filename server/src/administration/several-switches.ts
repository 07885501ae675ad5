// Several rows that are switched on or off, and several buses that leave the fleet or return: one set of statements for
// all, as one by one each takes 5 to 20 ms in which its unit waits.
import type { AuditAction } from '@ridewatch/contract/action-words';
import { type RawBuilder, sql } from 'kysely';
import { checkAdministers } from '../access/administration.ts';
import { isOfVisibleClient, isVisibleBus } from '../access/visible.ts';
import { announceBusChange } from '../buses/announce.ts';
import { type Actor, insertAudits } from '../core/audit.ts';
import type { Tx } from '../core/db/db.ts';
import { AppError } from '../core/errors.ts';
import type { Viewer } from '../core/viewer.ts';
import { bumpAllDays } from '../days/bus-days.ts';
import { goneAmong, LOT, lotsOf, type Outcome } from './several-rows.ts';

/** The tables whose rows are switched together, and what the audit log calls it. */
const switched = {
  units: { action: 'set_unit', objectType: 'unit' },
  cameras: { action: 'set_camera', objectType: 'camera' },
  clients: { action: 'set_client', objectType: 'client' },
} as const;

interface Switch {
  readonly table: keyof typeof switched;
  readonly enabled: boolean;
  /** Whether the user sees a row of the table. */
  readonly isVisible: RawBuilder<boolean>;
}

/**
 * Enables or disables units, cameras or customers.
 * @param ids of locked rows, ascending
 */
export async function switchRows(
  tx: Tx,
  actor: Actor,
  ids: readonly number[],
  { table, enabled, isVisible }: Switch,
): Promise<Outcome> {
  const { rows } = await sql<{ id: number; enabled: boolean }>`
    select id, enabled from ${sql.table(table)}
    where id = any(${[...ids]}::bigint[]) and ${isVisible} order by id`.execute(tx);
  const changed = rows.filter((row) => row.enabled !== enabled).map(({ id }) => id);
  if (changed.length > 0) {
    await sql`
      update ${sql.table(table)} set enabled = ${enabled}
      where id = any(${changed}::bigint[])`.execute(tx);
    const entry = { ...switched[table], before: { enabled: !enabled }, after: { enabled } };
    await note(tx, actor, changed, entry);
    await announceBusChange(tx);
  }
  return { changed, refused: goneAmong(ids, rows) };
}

/** Takes cameras into use or out of it, as `switchRows`. The days of their buses are answered anew. */
export async function switchCameras(
  tx: Tx,
  viewer: Viewer,
  actor: Actor,
  ids: readonly number[],
  enabled: boolean,
): Promise<Outcome> {
  const isVisible = isVisibleBus(viewer, sql.ref('cameras.workplace_id'));
  const outcome = await switchRows(tx, actor, ids, { table: 'cameras', enabled, isVisible });
  await bumpAllDays(tx, await listBusesOfCameras(tx, outcome.changed));
  return outcome;
}

/** The buses of cameras, each once. */
export async function listBusesOfCameras(tx: Tx, ids: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ bus: number }>`
    select distinct workplace_id as bus from cameras where id = any(${[...ids]}::bigint[])`.execute(
    tx,
  );
  return rows.map(({ bus }) => bus);
}

/**
 * Takes buses out of the fleet, or returns them. A bus that is also on the list of a customer whom the user does not see
 * stays.
 * @param ids of locked buses, ascending
 */
export async function retireBuses(
  tx: Tx,
  viewer: Viewer,
  actor: Actor,
  ids: readonly number[],
  retired: boolean,
): Promise<Outcome> {
  checkAdministers(viewer);
  const { rows } = await sql<{ id: number; retired_at: Date | null; isForeign: boolean }>`
    select id, retired_at, exists (
        select from workplace_clients where workplace_id = workplaces.id
          and not ${isOfVisibleClient(viewer, sql.ref('client_id'))}) as "isForeign"
    from workplaces
    where id = any(${[...ids]}::bigint[]) and ${isVisibleBus(viewer, sql.ref('workplaces.id'))}
    order by id`.execute(tx);
  const message = 'The bus is also on the lists of other customers.';
  const foreign = retired ? rows.filter(({ isForeign }) => isForeign) : [];
  const refused = new Map([
    ...goneAmong(ids, rows),
    ...foreign.map(
      ({ id }) => [id, new AppError('no_right', message, { field: 'retired' })] as const,
    ),
  ]);
  const turned = rows.filter(
    (row) => !refused.has(row.id) && (row.retired_at !== null) !== retired,
  );
  const changed = turned.map(({ id }) => id);
  if (changed.length > 0) {
    const at = retired ? new Date(actor.atMs) : null;
    await sql`
      update workplaces set retired_at = ${at} where id = any(${changed}::bigint[])`.execute(tx);
    const action = retired ? 'retire_bus' : 'return_bus';
    const formerly = new Map(turned.map((row) => [row.id, row.retired_at]));
    await note(tx, actor, changed, (id) => ({
      ...{ action, objectType: 'workplace' },
      before: { retired_at: formerly.get(id)?.toISOString() ?? null },
      after: { retired_at: at?.toISOString() ?? null },
    }));
    await announceBusChange(tx);
    await bumpAllDays(tx, changed);
  }
  return { changed, refused };
}

interface Entry {
  readonly action: AuditAction;
  readonly objectType: string;
  readonly before: object;
  readonly after: object;
}

async function note(
  tx: Tx,
  actor: Actor,
  ids: readonly number[],
  entry: Entry | ((id: number) => Entry),
): Promise<void> {
  for (const lot of lotsOf(ids, LOT)) {
    const entryOf = (id: number) => (typeof entry === 'function' ? entry(id) : entry);
    await insertAudits(
      tx,
      actor,
      lot.map((objectId) => ({ ...entryOf(objectId), objectId })),
    );
  }
}
