// The buses that an upstream gets, and their numbers there.
import type * as contract from '@ridewatch/contract/admin-upstreams';
import type { BodyOf, QueryOf } from '@ridewatch/contract/endpoint';
import { type RawBuilder, sql } from 'kysely';
import { clientName } from '../access/client.ts';
import { type Actor, insertAudit } from '../core/audit.ts';
import type { Db, Tx } from '../core/db/db.ts';
import { AppError, notFound } from '../core/errors.ts';
import { freeUnitNumber, objectNumber, unitNumber } from '../ingest/store/object-numbers.ts';
import { sendAgain } from '../retranslation/unregistered.ts';
import { lockRow } from './change.ts';
import { contains, type Page, readPage } from './page.ts';

type Bus = contract.UpstreamBus;

/**
 * The buses in the fleet that an upstream gets today, as SQL after `from`: `bus` with its `units`, `clients`, and
 * `numbered`, its number there.
 * @param upstreamId a bigint
 */
export function wantedBuses(upstreamId: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`upstreams as own
    join workplaces as bus on bus.retired_at is null
    left join units on units.workplace_id = bus.id
    left join workplace_clients as owned on owned.workplace_id = bus.id
    left join clients on clients.id = owned.client_id
    left join upstream_buses as numbered
      on numbered.upstream_id = own.id and numbered.workplace_id = bus.id
    where own.id = ${upstreamId} and (own.all_clients or exists (select from upstream_clients as wanted
      where wanted.upstream_id = own.id and wanted.client_id = owned.client_id))`;
}

/** The number of a bus that an upstream gets, as SQL beside `wantedBuses`; null: it has none there. */
export const numberOfWanted = objectNumber(sql.ref('own.id'), sql.ref('bus.id'));

/** One page of the buses, by name. @throws AppError not_found */
export async function listUpstreamBuses(
  db: Db,
  upstreamId: number,
  query: QueryOf<typeof contract.listUpstreamBuses>,
): Promise<Page<Bus>> {
  await checkUpstream(db, upstreamId);
  const isMissing =
    query.unnumbered === undefined
      ? sql<boolean>`true`
      : sql<boolean>`(${numberOfWanted} is null) = ${query.unnumbered}`;
  const rows = sql`
    select bus.id, bus.name, numbered.object_id,
      ${freeUnitNumber(sql.ref('own.id'), sql.ref('bus.id'))} as unit_object_id,
      case when clients.id is not null then jsonb_build_object('id', clients.id, 'name', ${clientName}) end
        as client
    from ${wantedBuses(sql`${upstreamId}`)}
      and ${contains(query.search, sql`bus.name`, clientName)} and ${isMissing}`;
  return readPage<Bus>(db, rows, query, { by: sql`name collate natural_ru` });
}

/**
 * Sets numbers of buses. Buses may change theirs with each other; one that has left the fleet keeps none that another gets.
 * @returns how many buses have none
 * @throws AppError not_found; invalid_request for unknown buses; conflict for a number that another bus has, with that bus
 */
export async function numberUpstreamBuses(
  tx: Tx,
  actor: Actor,
  upstreamId: number,
  { buses }: BodyOf<typeof contract.numberUpstreamBuses>,
): Promise<{ unnumbered: number }> {
  await lockRow(tx, 'upstreams', upstreamId);
  await checkUpstream(tx, upstreamId);
  const byId = new Map(buses.map((bus) => [bus.id, bus.object_id]));
  const ids = [...byId.keys()];
  const known = await tx
    .selectFrom('workplaces')
    .leftJoin('upstream_buses', (join) =>
      join.onRef('workplace_id', '=', 'workplaces.id').on('upstream_id', '=', upstreamId),
    )
    .select(['workplaces.id', 'name', 'object_id'])
    .where('workplaces.id', 'in', ids)
    .orderBy('workplaces.id')
    .execute();
  if (known.length < ids.length) {
    throw new AppError('invalid_request', 'must be buses', { field: 'buses' });
  }
  const changed = known.filter(({ id, object_id }) => byId.get(id) !== object_id);
  if (changed.length > 0) {
    const asked = changed.map(({ id }) => ({ id, object_id: byId.get(id) ?? null }));
    await writeNumbers(tx, upstreamId, asked, (id) => buses.findLastIndex((bus) => bus.id === id));
    // The upstream may know the new numbers.
    await sendAgain(
      tx,
      upstreamId,
      asked.map(({ id }) => id),
      actor.atMs,
    );
    const told = (numberOf: (bus: (typeof changed)[number]) => number | null | undefined) =>
      changed.map((bus) => `${bus.name}: ${numberOf(bus) ?? '—'}`);
    await insertAudit(tx, actor, {
      ...{ action: 'number_upstream_buses', objectType: 'upstream', objectId: upstreamId },
      before: { numbers: told(({ object_id }) => object_id) },
      after: { numbers: told(({ id }) => byId.get(id)) },
    });
  }
  const { rows } = await sql<{ unnumbered: number }>`
    select (count(*) filter (where ${numberOfWanted} is null))::int as unnumbered
    from ${wantedBuses(sql`${upstreamId}`)}`.execute(tx);
  return { unnumbered: rows[0]?.unnumbered ?? 0 };
}

type Asked = readonly { readonly id: number; readonly object_id: number | null }[];

async function writeNumbers(
  tx: Tx,
  upstreamId: number,
  buses: Asked,
  indexOf: (id: number) => number,
): Promise<void> {
  const rows = buses.flatMap(({ id, object_id }) =>
    object_id === null ? [] : [{ upstream_id: upstreamId, workplace_id: id, object_id }],
  );
  await sql`
    delete from upstream_buses where upstream_id = ${upstreamId} and (
      workplace_id = any(${buses.map(({ id }) => id)}::bigint[])
      or (object_id = any(${rows.map(({ object_id }) => object_id)}::bigint[])
        and exists (select from workplaces where id = workplace_id and retired_at is not null)))`.execute(
    tx,
  );
  const shared = await findShared(tx, upstreamId, buses);
  if (shared !== undefined) {
    throw new AppError('conflict', `${shared.name} has this number.`, {
      field: `buses.${indexOf(shared.asked)}.object_id`,
      current: { id: shared.id, name: shared.name },
    });
  }
  if (rows.length > 0) await tx.insertInto('upstream_buses').values(rows).execute();
}

// A bus that has the number of an asked one, its own or that of its unit. Those that are asked have none stored any more.
async function findShared(tx: Tx, upstreamId: number, asked: Asked) {
  const { rows } = await sql<{ asked: number; id: number; name: string }>`
    with asked as (
      select * from json_to_recordset(${JSON.stringify(asked)}::json) as one (id bigint, object_id bigint)
    ),
    numbers as (
      select id, object_id as number from asked where object_id is not null
      union all
      select workplace_id, object_id from upstream_buses where upstream_id = ${upstreamId}
      union all
      select bus.id, ${unitNumber} from ${wantedBuses(sql`${upstreamId}`)}
        and numbered.object_id is null and ${unitNumber} is not null
        and bus.id not in (select id from asked where object_id is not null)
    )
    select asked.id as asked, other.id, bus.name
    from asked join numbers as own on own.id = asked.id
    join numbers as other on other.number = own.number and other.id <> own.id
    join workplaces as bus on bus.id = other.id
    order by asked.id, other.id limit 1`.execute(tx);
  return rows[0];
}

async function checkUpstream(db: Db, id: number): Promise<void> {
  const found = await db
    .selectFrom('upstreams')
    .select('id')
    .where('id', '=', id)
    .executeTakeFirst();
  if (found === undefined) throw notFound();
}
