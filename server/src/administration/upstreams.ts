// Upstreams, to which records are passed on, as administrators see and change them.
import * as contract from '@ridewatch/contract/admin-upstreams';
import type { BodyOf, QueryOf } from '@ridewatch/contract/endpoint';
import type { Named } from '@ridewatch/contract/paging';
import { type RawBuilder, sql } from 'kysely';
import { clientName } from '../access/client.ts';
import { type Actor, insertAudit } from '../core/audit.ts';
import type { Db, Tx } from '../core/db/db.ts';
import { AppError, notFound } from '../core/errors.ts';
import { unregisteredOf, waitingOf } from '../retranslation/waiting.ts';
import { changeObject, lockRow, refuseTaken } from './change.ts';
import { contains, type Page, readPage, wireOf } from './page.ts';
import { numberOfWanted, wantedBuses } from './upstream-buses.ts';

type Upstream = contract.Upstream;
type Row = { readonly [Field in keyof Upstream]: Field extends Moments ? Date : Upstream[Field] };
type Moments =
  | 'created_at'
  | 'connected_since'
  | 'last_confirmed_at'
  | 'fault_since'
  | 'next_try_at'
  | 'waiting_since'
  | 'fallen_at';

const TAKEN = 'Another upstream has this name.';
/** Most bytes of what a dispatcher says about itself. */
const MOST_TEXT_BYTES = 255;

const columns = {
  name: sql`name collate natural_ru`,
  waiting_since: sql`waiting_since`,
} as const;

// A connection is told of only while a process holds the upstream. Leases are of the database's clock.
const upstreamRows = (where: RawBuilder<boolean>) => sql`
  select upstream.id, upstream.name, host, port, enabled, sign_in, sign_in_id, sign_in_text,
    all_clients, with_people, late_minutes, upstream.created_at,
    case when held_until > now() then connected_since end as connected_since,
    case when held_until > now() then next_try_at end as next_try_at, unregistered.told as unregistered,
    last_confirmed_at, fault, fault_code, fault_since, confirmed, fallen, fallen_at,
    waiting.since as waiting_since, waiting.records as waiting, waiting.more as more_waiting,
    coalesce(wanted.ids, '{}') as client_ids, coalesce(wanted.named, '[]') as clients,
    refusals.listed as refused, buses.all as buses, buses.unnumbered
  from upstreams as upstream
  cross join lateral ${waitingOf(sql.ref('upstream.id'))} as waiting
  cross join lateral ${unregisteredOf(sql.ref('upstream.id'))} as unregistered
  cross join lateral (
    select array_agg(clients.id order by clients.id) as ids,
      jsonb_agg(jsonb_build_object('id', clients.id, 'name', ${clientName})
        order by clients.name collate natural_ru, clients.id) as named
    from upstream_clients join clients on clients.id = client_id where upstream_id = upstream.id
  ) as wanted
  cross join lateral (
    select coalesce(jsonb_agg(jsonb_build_object('code', code, 'records', records,
      'last_at', to_char(last_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'bus', case when bus.id is not null then jsonb_build_object('id', bus.id, 'name', bus.name) end)
      order by records desc, code), '[]') as listed
    from upstream_refusals left join workplaces as bus on bus.id = workplace_id
    where upstream_id = upstream.id
  ) as refusals
  cross join lateral (
    select count(*)::int as "all", (count(*) filter (where ${numberOfWanted} is null))::int as unnumbered
    from ${wantedBuses(sql.ref('upstream.id'))}
  ) as buses
  where ${where}`;

/** One page of the upstreams, by name unless asked otherwise. */
export async function listUpstreams(
  db: Db,
  query: QueryOf<typeof contract.listUpstreams>,
): Promise<Page<Upstream>> {
  const where = contains(query.search, sql`upstream.name`, sql`upstream.host`);
  const by = columns[query.sortBy ?? 'name'];
  return readPage<Row>(db, upstreamRows(where), query, { by });
}

/** @throws AppError not_found */
export async function readUpstream(db: Db, id: number): Promise<Upstream> {
  const { rows } = await upstreamRows(sql`upstream.id = ${id}`).execute(db);
  const [row] = rows as Row[];
  if (row === undefined) throw notFound();
  return wireOf(row);
}

/** Adds an upstream. @throws AppError conflict for a taken name, or one too many; invalid_request */
export async function createUpstream(
  tx: Tx,
  actor: Actor,
  { client_ids, ...fields }: BodyOf<typeof contract.createUpstream>,
): Promise<Upstream> {
  checkSignIn(fields);
  // Two at once must not pass the limit together.
  await sql`lock table upstreams in share row exclusive mode`.execute(tx);
  const { rows } = await sql<{
    count: number;
  }>`select count(*)::int as count from upstreams`.execute(tx);
  if ((rows[0]?.count ?? 0) >= contract.MAX_UPSTREAMS) {
    const message = `There are at most ${contract.MAX_UPSTREAMS} upstreams.`;
    // A form shows it at a field; that of the name says that another one has it.
    throw new AppError('conflict', message, { field: 'host' });
  }
  const clients = fields.all_clients ? [] : await findClients(tx, client_ids);
  checkBuses(fields.all_clients, clients);
  const { id } = await refuseTaken('name', TAKEN, () =>
    tx
      .insertInto('upstreams')
      .values({ ...fields, created_at: new Date(actor.atMs) })
      .returning('id')
      .executeTakeFirstOrThrow(),
  );
  await setClients(tx, id, clients);
  await insertAudit(tx, actor, {
    ...{ action: 'create_upstream', objectType: 'upstream', objectId: id },
    after: { ...fields, clients },
  });
  return readUpstream(tx, id);
}

/** Changes an upstream; its sender begins anew. @throws AppError conflict, invalid_request, not_found */
export async function changeUpstream(
  tx: Tx,
  actor: Actor,
  id: number,
  body: BodyOf<typeof contract.changeUpstream>,
): Promise<Upstream> {
  const { seen: _, client_ids, ...fields } = body;
  const clients = client_ids && (await findClients(tx, client_ids));
  const { row } = await changeObject<Upstream>(tx, actor, {
    ...{ table: 'upstreams', id, body, action: 'set_upstream' },
    read: (db) => readUpstream(db, id),
    wanted: { ...fields, clients },
    write: async (__, { clients: present, ...own }, before) => {
      checkSignIn({ ...before, ...own });
      // One that has lost its customers is changed otherwise as any other.
      if (present !== undefined || own.all_clients !== undefined) {
        checkBuses(own.all_clients ?? before.all_clients, present ?? before.clients);
      }
      if (present !== undefined) await setClients(tx, id, present);
      const { clients: ___, ...changed } = { ...fields, clients };
      await refuseTaken('name', TAKEN, () =>
        tx
          .updateTable('upstreams')
          .set((eb) => ({ ...changed, version: eb('version', '+', 1) }))
          .where('id', '=', id)
          .execute(),
      );
    },
  });
  return row;
}

/**
 * Lets an upstream that waits after a fault be connected at once: its sender reads its row. One that does not wait stays as
 * it is.
 * @throws AppError not_found
 */
export async function tryUpstream(tx: Tx, actor: Actor, id: number): Promise<Upstream> {
  await lockRow(tx, 'upstreams', id);
  const now = new Date(actor.atMs);
  const waiting = await tx
    .updateTable('upstreams')
    .set({ next_try_at: now })
    .where('id', '=', id)
    .where('enabled', '=', true)
    .where('next_try_at', '>', now)
    .returning('name')
    .executeTakeFirst();
  if (waiting !== undefined) {
    await insertAudit(tx, actor, {
      ...{ action: 'try_upstream', objectType: 'upstream', objectId: id },
    });
  }
  return readUpstream(tx, id);
}

/** Deletes an upstream; a job deletes what waits for it. @throws AppError not_found */
export async function deleteUpstream(tx: Tx, actor: Actor, id: number): Promise<void> {
  await lockRow(tx, 'upstreams', id);
  const { name, host, port } = await readUpstream(tx, id);
  await tx.deleteFrom('upstreams').where('id', '=', id).execute();
  await insertAudit(tx, actor, {
    ...{ action: 'delete_upstream', objectType: 'upstream', objectId: id },
    before: { name, host, port },
  });
}

function checkSignIn({
  sign_in,
  sign_in_id,
  sign_in_text,
}: Pick<Upstream, 'sign_in' | 'sign_in_id' | 'sign_in_text'>): void {
  if (sign_in !== 'none' && sign_in_id === null) {
    const message = 'must be there for an upstream that wants a sign-in';
    throw new AppError('invalid_request', message, { field: 'sign_in_id' });
  }
  if (Buffer.byteLength(sign_in_text ?? '') > MOST_TEXT_BYTES) {
    const message = `must have at most ${MOST_TEXT_BYTES} bytes; a Cyrillic letter has two`;
    throw new AppError('invalid_request', message, { field: 'sign_in_text' });
  }
}

// One that gets no buses would look well, and nothing would ever be sent.
function checkBuses(isOfAll: boolean, clients: readonly Named[]): void {
  if (isOfAll || clients.length > 0) return;
  const message = 'must have a customer, unless the upstream gets the buses of all';
  throw new AppError('invalid_request', message, { field: 'client_ids' });
}

async function findClients(tx: Tx, ids: readonly number[]): Promise<Named[]> {
  const wanted = [...new Set(ids)];
  const found = await tx
    .selectFrom('clients')
    .select(['id', clientName.as('name')])
    .where(sql<boolean>`id = any(${wanted}::bigint[])`)
    .orderBy(sql`clients.name collate natural_ru`)
    .orderBy('id')
    // They stay until the upstream has them.
    .forKeyShare()
    .execute();
  if (found.length < wanted.length) {
    throw new AppError('invalid_request', 'must be customers', { field: 'client_ids' });
  }
  return found;
}

async function setClients(tx: Tx, id: number, clients: readonly Named[]): Promise<void> {
  await tx.deleteFrom('upstream_clients').where('upstream_id', '=', id).execute();
  if (clients.length === 0) return;
  await tx
    .insertInto('upstream_clients')
    .values(clients.map((client) => ({ upstream_id: id, client_id: client.id })))
    .execute();
}
