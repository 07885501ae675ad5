import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../core/db/db.ts';
import { notFound } from '../core/errors.ts';
import type { Viewer } from '../core/viewer.ts';
import { isVisibleClient, type Visible } from './visible.ts';

/** The name and surname of a row of `clients`, as screens name a customer. */
export const clientName = sql<string>`concat_ws(' ', clients.name, clients.surname)`;

/**
 * A condition for buses of a customer; none without a customer.
 * @param busId the column of the bus's id
 */
export function isBusOfClient(
  busId: RawBuilder<unknown>,
  clientId: number | undefined,
): RawBuilder<boolean> {
  if (clientId === undefined) return sql<boolean>`true`;
  return sql<boolean>`exists (select from workplace_clients as own
    where own.workplace_id = ${busId} and own.client_id = ${clientId})`;
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
 * The viewer, who sees only what belongs to one customer.
 * @param clientId undefined: the viewer as it is
 * @throws AppError not_found, also for a foreign customer
 */
export async function viewerOfClient(
  db: Db,
  viewer: Viewer,
  clientId: number | undefined,
): Promise<Viewer> {
  if (clientId === undefined) return viewer;
  const { id } = await findClient(db, viewer, clientId);
  return { ...viewer, clientIds: [id] };
}

/** A customer, and how many buses of it are in the fleet. */
export interface ClientBuses {
  readonly id: number;
  readonly name: string;
  readonly surname: string | null;
  readonly buses: number;
}

/**
 * The customers whose buses the user sees, by name, as people sort; without blocked and archived ones.
 * @param most customers in the answer
 */
export async function listClientsWithBuses(
  db: Db,
  { clientIds }: Viewer,
  most: number,
): Promise<ClientBuses[]> {
  return db
    .selectFrom('clients')
    .innerJoin('workplace_clients', 'client_id', 'clients.id')
    .innerJoin('workplaces', 'workplaces.id', 'workplace_id')
    .select((eb) => [
      'clients.id',
      'clients.name',
      'clients.surname',
      eb.cast<number>(eb.fn.countAll(), 'integer').as('buses'),
    ])
    .where('retired_at', 'is', null)
    .where('clients.enabled', '=', true)
    .where('clients.status', 'in', [1, 2])
    .$if(clientIds !== 'all', (query) =>
      query.where(sql<boolean>`clients.id = any(${[...clientIds]}::bigint[])`),
    )
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
