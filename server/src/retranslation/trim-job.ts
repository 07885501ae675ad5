// Every minute: keeps the queues of upstreams within their limits, and says what falls out of them.
import { UPSTREAM_KEEP_DAYS, UPSTREAM_KEEP_ROWS } from '@ridewatch/contract/admin-upstreams';
import { sql } from 'kysely';
import type { Db } from '../core/db/db.ts';
import { EVERY_MINUTE, type JobDefinition } from '../core/jobs/jobs.ts';
import type { Deps } from '../deps.ts';

const KEEP_MS = UPSTREAM_KEEP_DAYS * 24 * 3_600_000;
/** Rows that one statement deletes. */
const LOT = 10_000;

/** Trims the queues. @param keepRows of an upstream; tests have fewer */
export function trimUpstreamsJob(
  { database: { db }, clock, log }: Deps,
  keepRows = UPSTREAM_KEEP_ROWS,
): JobDefinition {
  return {
    name: 'trim_upstreams',
    schedule: EVERY_MINUTE,
    run: async (_payload, { signal }) => {
      const nowMs = clock.nowMs();
      // A batch may still bring rows for an upstream that has just been deleted.
      for (const id of await listOrphans(db)) {
        while (!signal.aborted && (await deleteLot(db, id)) === LOT) {}
      }
      const upstreams = await db.selectFrom('upstreams').select('id').execute();
      for (const { id } of upstreams) {
        let fallen = 0;
        for (let lot = LOT; lot === LOT && !signal.aborted; ) {
          const gone = await trim(db, id, nowMs, keepRows);
          lot = gone.rows;
          fallen += gone.records;
        }
        if (fallen > 0) log.error({ upstreamId: id, records: fallen }, 'records waited too long');
      }
    },
  };
}

// Upstreams that are no more, by looks at the index for the next id.
async function listOrphans(db: Db): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    with recursive queued as (
      select min(upstream_id) as id from upstream_queue
      union all
      select (select min(upstream_id) from upstream_queue where upstream_id > queued.id) from queued
      where queued.id is not null
    )
    select id from queued
    where id is not null and not exists (select from upstreams where upstreams.id = queued.id)`.execute(
    db,
  );
  return rows.map(({ id }) => id);
}

async function deleteLot(db: Db, upstreamId: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from upstream_queue where upstream_id = ${upstreamId} and id in (
      select id from upstream_queue where upstream_id = ${upstreamId} order by id limit ${LOT})`.execute(
    db,
  );
  return Number(numAffectedRows);
}

// Numbers of rows are common to all upstreams: only where they lie far apart the rows are counted.
async function trim(
  db: Db,
  upstreamId: number,
  nowMs: number,
  keepRows: number,
): Promise<{ readonly rows: number; readonly records: number }> {
  const own = sql`upstream_id = ${upstreamId}`;
  const { rows } = await sql<{ rows: number; records: number }>`
    with gone as (
      delete from upstream_queue where ${own} and id in (
        select id from (
          select id, stored_at from upstream_queue where ${own} order by id limit ${LOT}
        ) as oldest
        where stored_at < ${new Date(nowMs - KEEP_MS)} or id <= (select case
          when max(id) - min(id) < ${keepRows}::bigint then 0
          else (select id from upstream_queue where ${own} order by id desc offset ${keepRows}::bigint limit 1)
        end from upstream_queue where ${own}))
      returning records
    ),
    summed as (select count(*)::int as rows, coalesce(sum(records), 0)::int as records from gone),
    noted as (
      update upstreams set fallen = fallen + summed.records, fallen_at = ${new Date(nowMs)}
      from summed where id = ${upstreamId} and summed.rows > 0
    )
    select * from summed`.execute(db);
  return rows[0] ?? { rows: 0, records: 0 };
}
