// Every minute: keeps the queues of upstreams, and what is kept beside them, within their limits, and says what falls out.
import { UPSTREAM_KEEP_DAYS, UPSTREAM_KEEP_ROWS } from '@ridewatch/contract/admin-upstreams';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../core/db/db.ts';
import { EVERY_MINUTE, type JobDefinition } from '../core/jobs/jobs.ts';
import type { Deps } from '../deps.ts';
import { forgetTurns } from './turns.ts';

const KEEP_MS = UPSTREAM_KEEP_DAYS * 24 * 3_600_000;
/** Rows that one statement deletes. */
const LOT = 10_000;

/** Tables with waiting rows: those that are sent, and those of buses that the upstream does not know. Each has the limits. */
const TABLES = [sql.table('upstream_queue'), sql.table('upstream_unregistered')] as const;
type Table = RawBuilder<unknown>;

/** Trims the queues. @param keepRows of an upstream; tests have fewer */
export function trimUpstreamsJob(
  { database: { db }, clock, log }: Deps,
  keepRows = UPSTREAM_KEEP_ROWS,
): JobDefinition {
  const findSurpluses = TABLES.map((table) => createSurplusFinder(db, table, keepRows));
  return {
    name: 'trim_upstreams',
    schedule: EVERY_MINUTE,
    run: async (_payload, { signal }) => {
      const nowMs = clock.nowMs();
      // A batch may still bring rows for an upstream that has just been deleted.
      for (const table of TABLES) {
        for (const id of await listOrphans(db, table)) {
          while (!signal.aborted && (await deleteLot(db, table, id)) === LOT) {}
        }
      }
      while (!signal.aborted && (await forgetParked(db, nowMs)) === LOT) {}
      while (!signal.aborted && (await forgetTurns(db, nowMs, LOT)) === LOT) {}
      const upstreams = await db.selectFrom('upstreams').select('id').execute();
      for (const { id } of upstreams) {
        let fallen = 0;
        for (const [at, table] of TABLES.entries()) {
          const surplusId = (await findSurpluses[at]?.(id)) ?? 0;
          for (let lot = LOT; lot === LOT && !signal.aborted; ) {
            const gone = await trim(db, table, id, nowMs, surplusId);
            lot = gone.rows;
            fallen += gone.records;
          }
        }
        if (fallen > 0) log.error({ upstreamId: id, records: fallen }, 'records waited too long');
      }
    },
  };
}

// Upstreams that are no more, by looks at the index for the next id.
async function listOrphans(db: Db, table: Table): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    with recursive queued as (
      select min(upstream_id) as id from ${table}
      union all
      select (select min(upstream_id) from ${table} where upstream_id > queued.id) from queued
      where queued.id is not null
    )
    select id from queued
    where id is not null and not exists (select from upstreams where upstreams.id = queued.id)`.execute(
    db,
  );
  return rows.map(({ id }) => id);
}

// Records of a unit that has no bus were to be sent to nobody, so that nothing has fallen.
async function forgetParked(db: Db, nowMs: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from upstream_parked where (upstream_id, id) in (
      select upstream_id, id from upstream_parked where stored_at < ${new Date(nowMs - KEEP_MS)}
      order by stored_at limit ${LOT})`.execute(db);
  return Number(numAffectedRows);
}

async function deleteLot(db: Db, table: Table, upstreamId: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from ${table} where upstream_id = ${upstreamId} and id in (
      select id from ${table} where upstream_id = ${upstreamId} order by id limit ${LOT})`.execute(
    db,
  );
  return Number(numAffectedRows);
}

/** Finds the newest row of a queue that is one too many, by id; 0: there is none. */
type FindSurplus = (upstreamId: number) => Promise<number>;

// Counting millions of rows takes a second. Ids are common to all upstreams, so that a queue has at most as many rows as its
// oldest and newest id are apart, and grows by at most as many as ids were given since it was counted.
// Rows that go from one table to the other keep their ids: until the next count there may be twice as many.
function createSurplusFinder(db: Db, table: Table, keepRows: number): FindSurplus {
  /** Until its newest id is beyond this one, an upstream cannot have too many rows. */
  const enoughUntil = new Map<number, number>();
  return async (upstreamId) => {
    const own = sql`upstream_id = ${upstreamId}`;
    const { rows: ends } = await sql<{ oldest: number | null; newest: number | null }>`
      select min(id) as oldest, max(id) as newest from ${table} where ${own}`.execute(db);
    const oldest = Number(ends[0]?.oldest ?? 0);
    const newest = Number(ends[0]?.newest ?? 0);
    if (newest - oldest < keepRows || newest <= (enoughUntil.get(upstreamId) ?? 0)) return 0;
    const { rows: counted } = await sql<{ rows: number; oldest: number }>`
      select count(*)::int as rows, min(id) as oldest from (
        select id from ${table} where ${own} order by id desc limit ${keepRows + 1}) as kept`.execute(
      db,
    );
    const rows = counted[0]?.rows ?? 0;
    enoughUntil.set(upstreamId, newest + Math.max(0, keepRows - rows));
    return rows > keepRows ? Number(counted[0]?.oldest) : 0;
  };
}

async function trim(
  db: Db,
  table: Table,
  upstreamId: number,
  nowMs: number,
  surplusId: number,
): Promise<{ readonly rows: number; readonly records: number }> {
  const own = sql`upstream_id = (select id from held)`;
  // A transaction that notes a result locks the upstream before its rows, too.
  const { rows } = await sql<{ rows: number; records: number }>`
    with held as (select id from upstreams where id = ${upstreamId} for no key update),
    gone as (
      delete from ${table} where ${own} and id in (
        select id from (
          select id, stored_at from ${table} where ${own} order by id limit ${LOT}
        ) as oldest
        where stored_at < ${new Date(nowMs - KEEP_MS)} or id <= ${surplusId}::bigint)
      returning records
    ),
    summed as (select count(*)::int as rows, coalesce(sum(records), 0)::int as records from gone),
    noted as (
      update upstreams set fallen = fallen + (select summed.records from summed), fallen_at = ${new Date(nowMs)}
      where id = (select id from held) and (select summed.rows from summed) > 0
    )
    select * from summed`.execute(db);
  return rows[0] ?? { rows: 0, records: 0 };
}
