import type * as contract from '@ridewatch/contract/admin-customers';
import type { BodyOf, QueryOf } from '@ridewatch/contract/endpoint';
import type { Named } from '@ridewatch/contract/paging';
import { type RawBuilder, sql } from 'kysely';
import { clientName } from '../access/client.ts';
import type { Visible } from '../access/visible.ts';
import { lockClients } from '../auth/accounts.ts';
import { announceBusChange } from '../buses/announce.ts';
import { type Actor, type AuditEntry, insertAudit, insertAudits } from '../core/audit.ts';
import type { Db, Tx } from '../core/db/db.ts';
import { AppError, notFound } from '../core/errors.ts';
import { type Changed, changeObject, refuseTaken } from './change.ts';
import { contains, equals, type Page, readPage, wireOf } from './page.ts';

type Customer = contract.AdminCustomer;
type CustomerRow = Omit<Customer, 'created_at'> & { readonly created_at: Date };

const TAKEN = 'Another customer has this name.';

const columns = {
  name: sql`name collate natural_ru`,
  status: sql`status`,
  buses: sql`buses`,
  users: sql`users`,
  created_at: sql`created_at`,
} as const;

const customerRows = (where: RawBuilder<boolean>) => sql`
  select id, name, surname, patronymic, status, enabled, created_at,
    coalesce((select json_agg(json_build_object('id', own.id, 'name', concat_ws(' ', own.name, own.surname))
        order by own.name collate natural_ru, own.id)
      from integrator_clients join clients as own on own.id = integrator_id
      where client_id = clients.id), '[]') as integrators,
    (select count(*)::int from workplace_clients join workplaces on workplaces.id = workplace_id
      where client_id = clients.id and retired_at is null) as buses,
    (select count(*)::int from users where users.client_id = clients.id) as users
  from clients where ${where}`;

/** One page of the customers, by name unless asked otherwise. */
export async function listCustomers(
  db: Db,
  query: QueryOf<typeof contract.listCustomers>,
): Promise<Page<Customer>> {
  const isLookedAfter =
    query.integratorId === undefined
      ? sql<boolean>`true`
      : sql<boolean>`exists (select from integrator_clients
          where client_id = clients.id and integrator_id = ${query.integratorId})`;
  const where = sql<boolean>`${contains(query.search, clientName)}
    and ${equals(sql`status`, query.status && Number(query.status))} and ${isLookedAfter}`;
  return readPage<CustomerRow>(db, customerRows(where), query, {
    by: columns[query.sortBy ?? 'name'],
  });
}

/** @throws AppError not_found */
export async function readCustomer(db: Db, id: number): Promise<Customer> {
  const { rows } = await customerRows(sql`clients.id = ${id}`).execute(db);
  const [row] = rows as CustomerRow[];
  if (row === undefined) throw notFound();
  return wireOf(row);
}

type NewCustomer = BodyOf<typeof contract.createCustomer>;

/**
 * Creates a customer.
 * @returns it, and what stands for API keys that ended in caches of sessions
 * @throws AppError conflict for a taken name, not_found for an unknown integrator
 */
export async function insertCustomer(
  tx: Tx,
  actor: Actor,
  { integrator_ids = [], surname, patronymic, ...fields }: NewCustomer,
): Promise<{ made: Customer; ended: string[] }> {
  if (integrator_ids.length > 0) await lockIntegrators(tx);
  const integrators = await findIntegrators(tx, integrator_ids);
  const { id } = await refuseTaken('name', TAKEN, () =>
    tx
      .insertInto('clients')
      .values({
        ...fields,
        surname: surname ?? null,
        patronymic: patronymic ?? null,
        created_at: new Date(actor.atMs),
      })
      .returning('id')
      .executeTakeFirstOrThrow(),
  );
  let ended: string[] = [];
  if (integrators.length > 0) {
    await setIntegrators(tx, id, integrators);
    ended = await endWhatOthersMade(tx, actor, id, integrators);
  }
  const made = await readCustomer(tx, id);
  const { created_at: _, ...after } = made;
  await insertAudit(tx, actor, {
    action: 'create_client',
    objectType: 'client',
    objectId: id,
    after,
  });
  await announceBusChange(tx);
  return { made, ended };
}

/**
 * Changes a customer.
 * @returns it, and what stands for API keys that ended in caches of sessions
 * @throws AppError conflict, not_found
 */
export async function changeCustomer(
  tx: Tx,
  actor: Actor,
  { id }: Visible<Named>,
  body: BodyOf<typeof contract.updateCustomer>,
): Promise<Changed<Customer> & { ended: string[] }> {
  const { seen: _, integrator_ids, ...fields } = body;
  if (integrator_ids) await lockIntegrators(tx);
  const integrators = integrator_ids && (await findIntegrators(tx, integrator_ids, id));
  if (integrators) await checkNoCircle(tx, id, integrators);
  let ended: string[] = [];
  const changed = await changeObject<Customer>(tx, actor, {
    ...{ table: 'clients', id, body, action: 'set_client' },
    asBody: (one) => ({ integrator_ids: one.integrators.map((own) => own.id) }),
    read: (db) => readCustomer(db, id),
    wanted: { ...fields, integrators },
    write: async (__, { integrators: present, ...own }) => {
      if (present) {
        await setIntegrators(tx, id, present);
        ended = await endWhatOthersMade(tx, actor, id, present);
      }
      if (Object.keys(own).length > 0) {
        await refuseTaken('name', TAKEN, () =>
          tx.updateTable('clients').set(own).where('id', '=', id).execute(),
        );
      }
      await announceBusChange(tx);
    },
  });
  return { ...changed, ended };
}

// Two changes at once could close a circle that neither sees. The table comes before rows of customers, everywhere.
async function lockIntegrators(tx: Tx): Promise<void> {
  await sql`lock table integrator_clients in share row exclusive mode`.execute(tx);
}

// Locks them together with the customer whom they are to look after: keys, users and links that are made at the same
// moment are judged by the rights before or after the whole change.
async function findIntegrators(tx: Tx, ids: readonly number[], own?: number): Promise<Named[]> {
  const wanted = [...new Set(ids)];
  await lockClients(tx, own === undefined ? wanted : [own, ...wanted]);
  const found = await tx
    .selectFrom('clients')
    .select(['id', clientName.as('name')])
    .where(sql<boolean>`id = any(${wanted}::bigint[])`)
    .orderBy(sql`clients.name collate natural_ru`)
    .orderBy('id')
    .execute();
  if (found.length < wanted.length) throw notFound();
  return found;
}

async function checkNoCircle(tx: Tx, id: number, integrators: readonly Named[]): Promise<void> {
  const { rows } = await sql<Named>`
    with recursive looked_after as (
      select ${id}::bigint as id
      union select client_id from looked_after join integrator_clients on integrator_id = looked_after.id)
    select clients.id, ${clientName} as name from looked_after join clients using (id)
    where id = any(${integrators.map((one) => one.id)}::bigint[]) order by name limit 1`.execute(
    tx,
  );
  const [closing] = rows;
  if (closing === undefined) return;
  const message =
    closing.id === id
      ? 'A customer does not look after itself.'
      : `'${closing.name}' is looked after by this customer, also through others.`;
  throw new AppError('invalid_request', message, { field: 'integrator_ids' });
}

async function setIntegrators(tx: Tx, id: number, integrators: readonly Named[]): Promise<void> {
  await tx.deleteFrom('integrator_clients').where('client_id', '=', id).execute();
  if (integrators.length === 0) return;
  await tx
    .insertInto('integrator_clients')
    .values(integrators.map((one) => ({ integrator_id: one.id, client_id: id })))
    .execute();
}

// No key sees a customer that its maker does not see. A key of an integrator sees the customers of that integrator, so
// the keys of each present integrator are compared as well. A link does not say who made it: end those of the
// customer's own users, and those of an integrator's users whom another integrator administers without seeing the
// customer.
async function endWhatOthersMade(
  tx: Tx,
  actor: Actor,
  id: number,
  integrators: readonly Named[],
): Promise<string[]> {
  const seeing = [id, ...integrators.map((one) => one.id)];
  const { rows: ended } = await sql<Named & { holder: string }>`
    update api_keys set revoked_at = ${new Date(actor.atMs)}
    from users as maker
    where api_keys.client_id = any(${seeing}::bigint[]) and revoked_at is null
      and maker.id = created_by and maker.role <> 'ADMIN'
      and maker.client_id <> all(${seeing}::bigint[])
    returning api_keys.id, api_keys.name, holder_id as holder`.execute(tx);
  if (ended.length > 0) {
    const entries = ended.map(
      (key): AuditEntry => ({
        ...{ action: 'revoke_api_key', objectType: 'api_key', objectId: key.id },
        before: { name: key.name },
      }),
    );
    await insertAudits(tx, actor, entries);
  }
  await sql`
    delete from password_links using users
    where users.id = user_id and (users.client_id = ${id}
      or users.client_id in (select client_id from integrator_clients
        where client_id = any(${seeing}::bigint[])
          and integrator_id <> all(${seeing}::bigint[])))`.execute(tx);
  return ended.map(({ holder }) => holder);
}
