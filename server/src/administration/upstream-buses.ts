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
 * The buses in the fleet that an upstream gets today, each once, as SQL after `from`: `bus` with its `units`, and
 * `numbered`, its number there.
 * @param upstreamId a bigint
 */
export function wantedBuses(upstreamId: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`upstreams as own
    join workplaces as bus on bus.retired_at is null
    left join units on units.workplace_id = bus.id
    left join upstream_buses as numbered
      on numbered.upstream_id = own.id and numbered.workplace_id = bus.id
    where own.id = ${upstreamId} and (own.all_clients or exists (
      select from workplace_clients as owned join upstream_clients as wanted using (client_id)
      where owned.workplace_id = bus.id and wanted.upstream_id = own.id))`;
}

/** The customers of a bus, as SQL beside `wantedBuses`. */
const owners = sql`workplace_clients as owned join clients on clients.id = owned.client_id
  where owned.workplace_id = bus.id`;

/** The number of a bus that an upstream gets, as SQL beside `wantedBuses`; null: it has none there. */
export const numberOfWanted = objectNumber(sql.ref('own.id'), sql.ref('bus.id'));

/** One page of the buses, by name, each with its first customer whose buses the upstream gets. @throws AppError not_found */
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
      (select jsonb_build_object('id', clients.id, 'name', ${clientName}) from ${owners}
        order by not exists (select from upstream_clients as wanted
            where wanted.upstream_id = own.id and wanted.client_id = clients.id),
          ${clientName} collate natural_ru, clients.id limit 1) as client
    from ${wantedBuses(sql`${upstreamId}`)}
      and (${contains(query.search, sql`bus.name`)}
        or exists (select from ${owners} and ${contains(query.search, clientName)}))
      and ${isMissing}`;
  return readPage<Bus>(db, rows, query, { by: sql`name collate natural_ru` });
}

/**
 * Sets numbers of buses. Buses may change theirs with each other; one that the upstream gets no longer keeps none that
 * another one gets.
 * @returns how many buses have none
 * @throws AppError not_found; invalid_request for unknown buses; conflict for a number that another bus has, with that bus,
 *   and for one that somebody else has changed since the user saw it, with the bus as it is
 */
export async function numberUpstreamBuses(
  tx: Tx,
  actor: Actor,
  upstreamId: number,
  { buses }: BodyOf<typeof contract.numberUpstreamBuses>,
): Promise<{ unnumbered: number }> {
  await lockRow(tx, 'upstreams', upstreamId);
  await checkUpstream(tx, upstreamId);
  const byId = new Map(buses.map((bus) => [bus.id, bus]));
  const ids = [...byId.keys()];
  const indexOf = (id: number) => buses.findLastIndex((bus) => bus.id === id);
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
  const unseen = known.find(({ id, object_id }) => {
    const wanted = byId.get(id);
    // One that is stored already is a repeat after a lost answer.
    if (wanted?.seen === undefined || object_id === wanted.object_id) return false;
    return object_id !== wanted.seen.object_id;
  });
  if (unseen !== undefined) {
    throw new AppError('conflict', `${unseen.name} has another number by now.`, {
      field: `buses.${indexOf(unseen.id)}.seen.object_id`,
      current: unseen,
    });
  }
  const numberOf = (id: number) => byId.get(id)?.object_id ?? null;
  const changed = known.filter(({ id, object_id }) => numberOf(id) !== object_id);
  if (changed.length > 0) {
    const asked = changed.map(({ id }) => ({ id, object_id: numberOf(id) }));
    const former = await writeNumbers(tx, upstreamId, asked, indexOf);
    // The upstream may know the new numbers.
    await sendAgain(
      tx,
      upstreamId,
      asked.map(({ id }) => id),
      actor.atMs,
    );
    const told = (
      numbers: readonly { readonly name: string; readonly object_id: number | null }[],
    ) => numbers.map(({ name, object_id }) => `${name}: ${object_id ?? '—'}`);
    const after = changed.map(({ id, name }) => ({ name, object_id: numberOf(id) }));
    await insertAudit(tx, actor, {
      ...{ action: 'number_upstream_buses', objectType: 'upstream', objectId: upstreamId },
      before: { numbers: told([...changed, ...former]) },
      after: {
        numbers: told([...after, ...former.map(({ name }) => ({ name, object_id: null }))]),
      },
    });
  }
  const { rows } = await sql<{ unnumbered: number }>`
    select (count(*) filter (where ${numberOfWanted} is null))::int as unnumbered
    from ${wantedBuses(sql`${upstreamId}`)}`.execute(tx);
  return { unnumbered: rows[0]?.unnumbered ?? 0 };
}

type Asked = readonly { readonly id: number; readonly object_id: number | null }[];

/** @returns buses that the upstream gets no longer, with the numbers that they have lost to others */
async function writeNumbers(
  tx: Tx,
  upstreamId: number,
  buses: Asked,
  indexOf: (id: number) => number,
): Promise<{ name: string; object_id: number }[]> {
  const rows = buses.flatMap(({ id, object_id }) =>
    object_id === null ? [] : [{ upstream_id: upstreamId, workplace_id: id, object_id }],
  );
  await tx
    .deleteFrom('upstream_buses')
    .where('upstream_id', '=', upstreamId)
    .where(sql<boolean>`workplace_id = any(${buses.map(({ id }) => id)}::bigint[])`)
    .execute();
  const former = await sql<{ name: string; object_id: number }>`
    delete from upstream_buses using workplaces as former
    where upstream_id = ${upstreamId} and former.id = workplace_id
      and object_id in (
        select coalesce(asked.object_id, ${unitNumber})
        from json_to_recordset(${JSON.stringify(buses)}::json) as asked (id bigint, object_id bigint)
        left join units on units.workplace_id = asked.id)
      and former.id not in (select bus.id from ${wantedBuses(sql`${upstreamId}`)})
    returning former.name, object_id`.execute(tx);
  const shared = await findShared(tx, upstreamId, buses);
  if (shared !== undefined) {
    throw new AppError('conflict', `${shared.name} has this number.`, {
      field: `buses.${indexOf(shared.asked)}.object_id`,
      current: { id: shared.id, name: shared.name, object_id: shared.number },
    });
  }
  if (rows.length > 0) await tx.insertInto('upstream_buses').values(rows).execute();
  return former.rows;
}

// A bus that has the number of an asked one, its own or that of its unit. Those that are asked have none stored any more.
async function findShared(tx: Tx, upstreamId: number, asked: Asked) {
  const { rows } = await sql<{ asked: number; id: number; name: string; number: number }>`
    with asked as (
      select * from json_to_recordset(${JSON.stringify(asked)}::json) as one (id bigint, object_id bigint)
    ),
    numbers as (
      select id, object_id as number from asked where object_id is not null
      union all
      select bus.id, coalesce(numbered.object_id, ${unitNumber}) from ${wantedBuses(sql`${upstreamId}`)}
        and bus.id not in (select id from asked where object_id is not null)
    )
    select asked.id as asked, other.id, bus.name, other.number
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
