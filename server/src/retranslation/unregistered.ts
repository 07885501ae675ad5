// Records of buses that an upstream does not know yet, or that have no number there now, are kept out of its queue, and asked
// about with one record of each bus from time to time. Once it takes one, the others go back into the queue.
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../core/db/db.ts';

/** Rows of known buses that go back into the queue with one result; their results bring more. */
const MOST_BACK = 5000;

const ROW = sql`id, upstream_id, unit_id, workplace_id, stored_at, records, points, people`;

/** Rows whose bus is unknown, or has no number, and buses of an `Outcome`. */
interface Moved {
  readonly unregistered: readonly number[];
  readonly knownBuses: readonly number[];
  readonly nextBuses: readonly number[];
}

/**
 * Statements that move rows out of the queue, and those of buses that are known by now back, as parts of a `with` that has
 * `held`, the id of the upstream.
 */
export function moveUnregistered(
  { unregistered, knownBuses, nextBuses }: Moved,
  now: RawBuilder<Date>,
): RawBuilder<unknown> {
  const held = sql`(select id from held)`;
  return sql`
    unknown as (
      delete from upstream_queue where upstream_id = ${held}
        and id = any(${[...unregistered]}::bigint[]) returning ${ROW}
    ),
    kept as (insert into upstream_unregistered (${ROW}) select ${ROW} from unknown),
    known as (
      delete from upstream_unregistered where upstream_id = ${held} and id in (
        (select id from upstream_unregistered where upstream_id = ${held}
          and workplace_id = any(${[...knownBuses]}::bigint[]) order by id limit ${MOST_BACK})
        union all ${oldestOf(held, busesOf(nextBuses))})
      returning ${ROW}
    ),
    back as (${intoQueue(sql.ref('known'), now)})`;
}

/** Puts the oldest record of each unknown bus into the queue, which shows whether the upstream knows the bus now. */
export async function askAgain(
  db: Db,
  { upstreamId, holder }: { readonly upstreamId: number; readonly holder: string },
  nowMs: number,
): Promise<void> {
  const id = sql`${upstreamId}::bigint`;
  await sql`
    with held as (
      select id from upstreams where id = ${upstreamId} and holder = ${holder} for no key update
    ),
    ${askWith(sql`(select id from held)`, oldestOf(id, unregisteredBuses(id)), nowMs)}`.execute(db);
}

/**
 * Puts the oldest record of each of some buses into the queue: their numbers are new ones. A call that moved all of them would
 * take too long. The upstream is locked already.
 * @param nowMs ms since 1970 UTC
 */
export async function sendAgain(
  db: Db,
  upstreamId: number,
  busIds: readonly number[],
  nowMs: number,
): Promise<void> {
  const id = sql`${upstreamId}::bigint`;
  await sql`with ${askWith(id, oldestOf(id, busesOf(busIds)), nowMs)}`.execute(db);
}

// The rest of a `with`.
const askWith = (
  upstreamId: RawBuilder<unknown>,
  rowIds: RawBuilder<unknown>,
  nowMs: number,
): RawBuilder<unknown> => sql`
  asked as (
    delete from upstream_unregistered where upstream_id = ${upstreamId} and id in (${rowIds})
    returning ${ROW}
  )
  ${intoQueue(sql.ref('asked'), sql`${new Date(nowMs)}::timestamptz`)}`;

// The ids of the oldest kept rows of buses; null: a bus has none.
const oldestOf = (
  upstreamId: RawBuilder<unknown>,
  buses: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`
  select (select min(id) from upstream_unregistered
    where upstream_id = ${upstreamId} and workplace_id = unknown.id) as id
  from ${buses} as unknown`;

const busesOf = (ids: readonly number[]): RawBuilder<unknown> =>
  sql`(select distinct id from unnest(${[...ids]}::bigint[]) as one (id))`;

// A row keeps its id: its turns belong to it. It waits for an answer since now.
const intoQueue = (rows: RawBuilder<unknown>, now: RawBuilder<Date>): RawBuilder<unknown> => sql`
  insert into upstream_queue (${ROW}, due_at, back_at) overriding system value
  select ${ROW}, now(), ${now} from ${rows}`;

/**
 * The buses in the fleet of which an upstream keeps records and that it may still get, as a subquery with the columns `id` and
 * `name`: on some day they were of one of its customers.
 * @param upstreamId a bigint
 */
export function wantedUnregistered(upstreamId: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(
    select bus.id, bus.name from ${unregisteredBuses(upstreamId)} as unknown
    join workplaces as bus on bus.id = unknown.id and bus.retired_at is null
    join upstreams as own on own.id = ${upstreamId}
    where own.all_clients or exists (
      select from bus_owners as owned join upstream_clients as wanted on wanted.client_id = owned.client_id
      where owned.workplace_id = bus.id and wanted.upstream_id = own.id)
  )`;
}

/**
 * The ids of buses of which an upstream keeps records, as a subquery with the column `id`, by looks at the index for the next
 * one.
 * @param upstreamId a bigint
 */
function unregisteredBuses(upstreamId: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(
    with recursive found as (
      select min(workplace_id) as id from upstream_unregistered where upstream_id = ${upstreamId}
      union all
      select (select min(workplace_id) from upstream_unregistered
        where upstream_id = ${upstreamId} and workplace_id > found.id) from found
      where found.id is not null
    )
    select id from found where id is not null
  )`;
}
