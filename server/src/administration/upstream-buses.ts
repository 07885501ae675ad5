// The buses that an upstream gets, and their numbers there.
import type * as contract from '@ridewatch/contract/admin-upstreams';
import type { BodyOf, QueryOf } from '@ridewatch/contract/endpoint';
import { type RawBuilder, sql } from 'kysely';
import { clientName } from '../access/client.ts';
import { type Actor, insertAudit } from '../core/audit.ts';
import type { Db, Tx } from '../core/db/db.ts';
import { AppError, notFound } from '../core/errors.ts';
import { objectNumber, unitNumber } from '../retranslation/due-rows.ts';
import { lockRow, refuseTaken } from './change.ts';
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
      : sql<boolean>`(${objectNumber} is null) = ${query.unnumbered}`;
  const rows = sql`
    select bus.id, bus.name, numbered.object_id, ${unitNumber} as unit_object_id,
      case when clients.id is not null then jsonb_build_object('id', clients.id, 'name', ${clientName}) end
        as client
    from ${wantedBuses(sql`${upstreamId}`)}
      and ${contains(query.search, sql`bus.name`, clientName)} and ${isMissing}`;
  return readPage<Bus>(db, rows, query, { by: sql`name collate natural_ru` });
}

/**
 * Sets numbers of buses. Buses may change theirs with each other.
 * @returns how many buses have none
 * @throws AppError not_found; invalid_request for unknown buses; conflict for a number that another bus has
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
    await writeNumbers(
      tx,
      upstreamId,
      changed.map(({ id }) => ({ id, object_id: byId.get(id) ?? null })),
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
    select (count(*) filter (where ${objectNumber} is null))::int as unnumbered
    from ${wantedBuses(sql`${upstreamId}`)}`.execute(tx);
  return { unnumbered: rows[0]?.unnumbered ?? 0 };
}

async function writeNumbers(
  tx: Tx,
  upstreamId: number,
  buses: readonly { readonly id: number; readonly object_id: number | null }[],
): Promise<void> {
  const ids = buses.map(({ id }) => id);
  await tx
    .deleteFrom('upstream_buses')
    .where('upstream_id', '=', upstreamId)
    .where('workplace_id', 'in', ids)
    .execute();
  const rows = buses.flatMap(({ id, object_id }) =>
    object_id === null ? [] : [{ upstream_id: upstreamId, workplace_id: id, object_id }],
  );
  if (rows.length === 0) return;
  await refuseTaken('buses', 'Another bus has one of these numbers.', () =>
    tx.insertInto('upstream_buses').values(rows).execute(),
  );
}

async function checkUpstream(db: Db, id: number): Promise<void> {
  const found = await db
    .selectFrom('upstreams')
    .select('id')
    .where('id', '=', id)
    .executeTakeFirst();
  if (found === undefined) throw notFound();
}
