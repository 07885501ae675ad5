import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../core/db/db.ts';
import { notFound } from '../core/errors.ts';
import type { Viewer } from '../core/viewer.ts';
import {
  customersToday,
  hasDayOf,
  isListedClient,
  isVisibleClient,
  type Visible,
} from './visible.ts';

/** The name and surname of a row of `clients`, as screens name a customer. */
export const clientName = sql<string>`concat_ws(' ', clients.name, clients.surname)`;

/**
 * Whether a row `allowed` of bus_owners has the present day of its bus.
 * @param nowMs ms since 1970 UTC
 */
export const ownsToday = (nowMs: number): RawBuilder<boolean> =>
  hasDayOf(sql.ref<number>('allowed.workplace_id'), sql`${new Date(nowMs)}::timestamptz`);

/**
 * A condition for buses of a customer, for the administration: it is its bus now, or its day still is. None without a
 * customer.
 * @param busId the column of the bus's id
 * @param nowMs ms since 1970 UTC
 */
export function isBusOfClient(
  busId: RawBuilder<unknown>,
  clientId: number | undefined,
  nowMs: number,
): RawBuilder<boolean> {
  if (clientId === undefined) return sql<boolean>`true`;
  return sql<boolean>`exists (
    select from bus_owners as allowed
    where allowed.workplace_id = ${busId} and allowed.client_id = ${clientId}
      and (allowed.to_day = 'infinity' or ${ownsToday(nowMs)}))`;
}

export interface ClientRow {
  readonly id: number;
  /** Name and surname. */
  readonly name: string;
}

/** @throws AppError not_found, also for foreign customers */
export async function findClient(db: Db, viewer: Viewer, id: number): Promise<Visible<ClientRow>> {
  if (!isVisibleClient(viewer, id)) throw notFound();
  const client = await db
    .selectFrom('clients')
    .select(['id', clientName.as('name')])
    .where('id', '=', id)
    .executeTakeFirst();
  if (client === undefined) throw notFound();
  return client as Visible<ClientRow>;
}

/**
 * The viewer, who sees only what belongs to one customer, and the buses that are under it today.
 * @param clientId undefined: the viewer as it is
 * @param nowMs ms since 1970 UTC
 * @throws AppError not_found, also for a foreign customer
 */
export async function viewerOfClient(
  db: Db,
  viewer: Viewer,
  clientId: number | undefined,
  nowMs: number,
): Promise<Viewer> {
  if (clientId === undefined) return viewer;
  const { id } = await findClient(db, viewer, clientId);
  return { ...viewer, clientIds: [id], chosen: { from: viewer.clientIds, nowMs } };
}

/** A customer, and how many buses of it are in the fleet. */
export interface ClientBuses {
  readonly id: number;
  readonly name: string;
  readonly surname: string | null;
  readonly buses: number;
}

/**
 * The customers under whom lists show the user's buses today, by name, as people sort; without blocked and archived ones.
 * @param nowMs ms since 1970 UTC
 * @param most customers in the answer
 */
export async function listClientsWithBuses(
  db: Db,
  viewer: Viewer,
  nowMs: number,
  most: number,
): Promise<ClientBuses[]> {
  const today = sql<{ workplace_id: number; client_id: number }>`${customersToday(viewer, nowMs)}`;
  return db
    .selectFrom('clients')
    .innerJoin(today.as('today'), 'today.client_id', 'clients.id')
    .innerJoin('workplaces', 'workplaces.id', 'today.workplace_id')
    .select((eb) => [
      'clients.id',
      'clients.name',
      'clients.surname',
      eb.cast<number>(eb.fn.countAll(), 'integer').as('buses'),
    ])
    .where('retired_at', 'is', null)
    .where(isListedClient)
    .groupBy('clients.id')
    .orderBy(sql`clients.name collate natural_ru`)
    .orderBy('clients.id')
    .limit(most)
    .execute();
}

/**
 * Several customers, by name, as people sort.
 * @throws AppError not_found when one of them is foreign or does not exist
 */
export async function findClients(
  db: Db,
  viewer: Viewer,
  ids: readonly number[],
): Promise<Visible<ClientRow>[]> {
  const wanted = [...new Set(ids)];
  const clients = await db
    .selectFrom('clients')
    .select(['id', clientName.as('name')])
    .where(sql<boolean>`id = any(${wanted}::bigint[])`)
    .orderBy(sql`${clientName} collate natural_ru`)
    .orderBy('id')
    .execute();
  const seen = clients.filter(({ id }) => isVisibleClient(viewer, id));
  if (seen.length < wanted.length) throw notFound();
  return seen as Visible<ClientRow>[];
}
