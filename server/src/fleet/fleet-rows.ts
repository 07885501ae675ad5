import type { FleetPlan } from '@ridewatch/contract/fleet';
import { kopecksOf } from '@ridewatch/contract/money';
import { type Selectable, sql } from 'kysely';
import { freeFrom } from '../access/unit-assignments.ts';
import type { Db } from '../core/db/db.ts';
import type { DB } from '../core/db/db-types.ts';
import { type BusSettings, writeBusSettings } from '../days/bus-settings.ts';

/** New routes and settings of new buses are valid from this local day on: before any accepted data. */
export const VALID_FROM = '2010-01-01';

type PlannedCustomer = FleetPlan['customers'][number];
type PlannedBus = PlannedCustomer['buses'][number];

/**
 * Locks the customers, spare units and buses that a plan names until the transaction ends, in the order in which every
 * command locks them. Units that sit in buses stay as they are, and go on sending.
 */
export async function lockPlanned(tx: Db, { customers }: FleetPlan): Promise<void> {
  const clients = customers.map(({ name }) => name);
  const buses = customers.flatMap((customer) => customer.buses);
  await sql`
    select from clients where name = any(${clients}::text[]) order by id for no key update`.execute(
    tx,
  );
  await sql`
    select from units
    where device_id = any(${buses.map((bus) => bus.device_id)}::text[]) and workplace_id is null
    order by id for no key update`.execute(tx);
  await sql`
    select from workplaces
    where name = any(${buses.map(({ name }) => name)}::text[]) and exists (
      select from workplace_clients join clients on clients.id = client_id
      where workplace_id = workplaces.id and clients.name = any(${clients}::text[]))
    order by id for no key update`.execute(tx);
}

/** The id of a customer by name; undefined when there is none. */
export async function findClientId(db: Db, name: string): Promise<number | undefined> {
  const row = await db
    .selectFrom('clients')
    .select('id')
    .where('name', '=', name)
    .executeTakeFirst();
  return row?.id;
}

/** @returns the new customer's id */
export async function insertClient(
  tx: Db,
  { name, surname }: PlannedCustomer,
  nowMs: number,
): Promise<number> {
  const { id } = await tx
    .insertInto('clients')
    .values({ name, surname: surname ?? null, created_at: new Date(nowMs) })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** A customer's routes that are not deleted: name → id. */
export async function listRouteIds(db: Db, clientId: number): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('route_groups')
    .select(['id', 'name'])
    .where('client_id', '=', clientId)
    .where('deleted', '=', false)
    .execute();
  return new Map(rows.map(({ id, name }) => [name, id]));
}

export interface UnitOnBus {
  readonly unitId: number;
  readonly busId: number | null;
  readonly busName: string | null;
  readonly clientIds: readonly number[];
}

/** A unit by its device id, with its bus and that bus's customers. */
export async function findUnit(db: Db, deviceId: string): Promise<UnitOnBus | undefined> {
  const rows = await db
    .selectFrom('units')
    .leftJoin('workplaces', 'workplaces.id', 'units.workplace_id')
    .leftJoin('workplace_clients', 'workplace_clients.workplace_id', 'workplaces.id')
    .select(['units.id', 'units.workplace_id', 'workplaces.name', 'workplace_clients.client_id'])
    .where('device_id', '=', deviceId)
    .execute();
  const first = rows[0];
  if (first === undefined) return undefined;
  return {
    unitId: first.id,
    busId: first.workplace_id,
    busName: first.name,
    clientIds: rows.flatMap((row) => (row.client_id === null ? [] : [row.client_id])),
  };
}

/** A customer's bus by name, and whether it has a unit. */
export async function findBusByName(
  db: Db,
  clientId: number,
  name: string,
): Promise<{ id: number; unitId: number | null } | undefined> {
  return db
    .selectFrom('workplaces')
    .innerJoin('workplace_clients', 'workplace_clients.workplace_id', 'workplaces.id')
    .leftJoin('units', 'units.workplace_id', 'workplaces.id')
    .select(['workplaces.id', 'units.id as unitId'])
    .where('client_id', '=', clientId)
    .where('workplaces.name', '=', name)
    .orderBy('workplaces.id')
    .executeTakeFirst();
}

/** A bus to be created; what is not given has the value of a new bus. */
export interface NewBus {
  readonly name: string;
  readonly description?: string | null | undefined;
  readonly type?: 'VMS' | 'COUNTER' | undefined;
  readonly gps_trackable?: boolean | undefined;
  readonly count_passengers_inside?: boolean | undefined;
  readonly bus_calculation?: boolean | undefined;
  readonly config?: string | undefined;
  readonly capacity_seated?: number | null | undefined;
  readonly capacity_standing?: number | null | undefined;
  /** The first values in its calculator, in roubles and percent. */
  readonly fare?: string | undefined;
  readonly salary_percent?: string | undefined;
  readonly clientIds: readonly number[];
  readonly settings: BusSettings;
  /** ms since 1970 UTC. */
  readonly nowMs: number;
}

/** Inserts a bus with its customers and first settings. @returns its id */
export async function insertBus(tx: Db, bus: NewBus): Promise<number> {
  const [id = 0] = await insertBuses(tx, [bus]);
  return id;
}

/**
 * Inserts buses with their customers and first settings.
 * @param buses at least one, some hundred at most; no two with one name
 * @returns their ids, in the same order
 */
export async function insertBuses(tx: Db, buses: readonly NewBus[]): Promise<number[]> {
  const made = await tx
    .insertInto('workplaces')
    .values(
      buses.map(
        ({ fare: _, salary_percent: __, clientIds: ___, settings: ____, nowMs, ...bus }) => ({
          ...bus,
          created_at: new Date(nowMs),
        }),
      ),
    )
    .returning(['id', 'name'])
    .execute();
  const ids = new Map(made.map(({ id, name }) => [name, id]));
  const inserted = buses.map((bus) => ({ ...bus, id: ids.get(bus.name) ?? 0 }));
  await tx
    .insertInto('workplace_clients')
    .values(
      inserted.flatMap(({ id, clientIds }) =>
        clientIds.map((clientId) => ({ workplace_id: id, client_id: clientId })),
      ),
    )
    .execute();
  await writeBusSettings(
    tx,
    inserted.map(({ id, settings }) => ({ busId: id, day: VALID_FROM, settings })),
  );
  // The first day with people copies it.
  const calculations = inserted
    .filter(({ fare, salary_percent }) => fare !== undefined || salary_percent !== undefined)
    .map(({ id, fare, salary_percent, nowMs }) => ({
      workplace_id: id,
      day: VALID_FROM,
      fare_kopecks: kopecksOf(fare ?? '0'),
      salary_percent: salary_percent ?? '0',
      created_at: new Date(nowMs),
    }));
  if (calculations.length > 0) await tx.insertInto('calculations').values(calculations).execute();
  return inserted.map(({ id }) => id);
}

/** A unit's protocol and its id in it; both null: it speaks the unit interface. */
export type UnitIdentity = Pick<Selectable<DB['units']>, 'protocol' | 'protocol_id'>;

/**
 * Inserts a unit in a bus.
 * @param nowMs ms since 1970 UTC
 * @returns the unit's id; undefined when there is one of this device id
 */
export async function insertUnit(
  tx: Db,
  {
    deviceId,
    busId,
    identity,
  }: { readonly deviceId: string; readonly busId: number; readonly identity: UnitIdentity },
  nowMs: number,
): Promise<number | undefined> {
  // Until when another unit sat in the bus is decided by then.
  await sql`select from workplaces where id = ${busId} for no key update`.execute(tx);
  const made = await tx
    .insertInto('units')
    .values({
      ...{ device_id: deviceId, workplace_id: busId, created_at: new Date(nowMs), ...identity },
      assigned_from: freeFrom(sql`${busId}::bigint`),
    })
    .onConflict((oc) => oc.column('device_id').doNothing())
    .returning('id')
    .executeTakeFirst();
  return made?.id;
}

/** Inserts the cameras that a bus does not have yet; others stay. @returns the ids of the inserted ones */
export async function insertMissingCameras(
  tx: Db,
  busId: number,
  planned: PlannedBus['cameras'],
): Promise<number[]> {
  const existing = await tx
    .selectFrom('cameras')
    .select(['stream_id', 'door', 'counts'])
    .where('workplace_id', '=', busId)
    .execute();
  const streams = new Set(existing.map((camera) => camera.stream_id));
  const countedDoors = new Set(existing.filter((c) => c.counts).map((camera) => camera.door));
  const missing = planned.filter((camera) => !streams.has(camera.stream_id));
  if (missing.length === 0) return [];
  const made = await tx
    .insertInto('cameras')
    .values(
      missing.map((camera) => {
        const counts = camera.door !== null && !countedDoors.has(camera.door);
        if (counts) countedDoors.add(camera.door);
        return {
          workplace_id: busId,
          name: camera.name,
          stream_id: camera.stream_id,
          live: camera.live,
          door: camera.door,
          counts,
        };
      }),
    )
    .returning('id')
    .execute();
  return made.map(({ id }) => id);
}
