// Receivers know a count by bus, second, module and door. People of one second that are in several rows of the queue go to
// different modules, each row to that of its turn. A turn is stored before it is first sent, so that a restart gives no row
// the turn of another, nor another turn to a row that is sent again.
import { sql } from 'kysely';
import type { Db, Tx } from '../core/db/db.ts';
import type { DueRow } from './due-rows.ts';
import type { Held } from './settle.ts';

/** A turn is remembered for this long after its row was sent, ms; longer while the row waits. */
const KEEP_TURNS_MS = 24 * 3_600_000;
/** The last turn of a second, which further rows share. */
export const MOST_TURNS = 10_000;

/** The turn of a row in one of its seconds with people, from 0. */
export type TurnOf = (rowId: number, seconds: number) => number;

/** The turns of rows. */
export interface Turns {
  readonly turnOf: TurnOf;
  /** Ids of rows that have none: since they were read they have left the queue, or their unit was moved. */
  readonly moved: ReadonlySet<number>;
}

/**
 * Gives rows their turns, those that they have had or the next ones. Rows without people alone need none. One caller at a time
 * for each upstream.
 * @returns undefined when the upstream is not held any more
 * @throws the database's error
 */
export async function takeTurns(
  db: Db,
  { upstreamId, holder }: Held,
  rows: readonly DueRow[],
  nowMs: number,
): Promise<Turns | undefined> {
  const asked = rows.flatMap(({ id, busId, seconds }) =>
    seconds
      .filter(({ people }) => people.length > 0)
      .map((one) => ({ id, bus: busId, second: one.seconds })),
  );
  if (asked.length === 0) return { turnOf: () => 0, moved: new Set() };
  const taken = await db.transaction().execute(async (tx) => {
    // A move locks the upstream, too: it is seen as a whole, or it finds the turns.
    const { rows: held } = await sql`
      select from upstreams where id = ${upstreamId} and holder = ${holder} for no key update`.execute(
      tx,
    );
    return held.length === 0 ? undefined : takeOwn(tx, upstreamId, rows, asked, nowMs);
  });
  if (taken === undefined) return undefined;
  const turns = new Map(taken.map(({ id, second, turn }) => [`${id} ${second}`, turn]));
  const own = new Set(taken.map(({ id }) => id));
  return {
    turnOf: (rowId, seconds) => turns.get(`${rowId} ${seconds}`) ?? 0,
    moved: new Set(rows.map(({ id }) => id).filter((id) => !own.has(id))),
  };
}

interface Asked {
  readonly id: number;
  readonly bus: number;
  readonly second: number;
}

interface Taken {
  readonly id: number;
  /** null, as the turn: the row waits as it was read. */
  readonly second: number | null;
  readonly turn: number | null;
}

/** Takes the turns of rows that are still in the queue and of their bus. */
async function takeOwn(
  tx: Tx,
  upstreamId: number,
  rows: readonly DueRow[],
  asked: readonly Asked[],
  nowMs: number,
): Promise<readonly Taken[]> {
  const [ids, buses] = [rows.map(({ id }) => id), rows.map(({ busId }) => busId)];
  const { rows: taken } = await sql<Taken>`
    with own as (
      select id from upstream_queue where upstream_id = ${upstreamId} and id = any(${ids}::bigint[])
        and (id, workplace_id) in (select * from unnest(${ids}::bigint[], ${buses}::bigint[]))
    ),
    asked as (
      select id, bus, second from json_to_recordset(${JSON.stringify(asked)}::json)
        as one (id bigint, bus bigint, second bigint)
      where id in (select id from own)
    ),
    known as (
      select queue_id as id, second, turn from upstream_turns as taken
      where upstream_id = ${upstreamId}
        and (workplace_id, second, queue_id) in (select bus, second, id from asked)
    ),
    added as (
      insert into upstream_turns (upstream_id, workplace_id, second, queue_id, turn, taken_at)
      select ${upstreamId}::bigint, bus, second, id,
        least(${MOST_TURNS}::bigint, row_number() over (partition by bus, second order by id) + coalesce((
          select max(turn) from upstream_turns as earlier
          where earlier.upstream_id = ${upstreamId} and earlier.workplace_id = bus
            and earlier.second = asked.second), -1)),
        ${new Date(nowMs)}::timestamptz
      from asked where (id, second) not in (select id, second from known)
      returning queue_id as id, second, turn
    )
    select id, null as second, null as turn from own
    union all select * from known union all select * from added`.execute(tx);
  return taken;
}

/** Forgets turns that no record can need any more. @returns how many, at most a lot */
export async function forgetTurns(db: Db, nowMs: number, lot: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from upstream_turns where (upstream_id, workplace_id, second, queue_id) in (
      select upstream_id, workplace_id, second, queue_id from upstream_turns as taken
      where taken_at < ${new Date(nowMs - KEEP_TURNS_MS)} and not exists (
        select from upstream_queue where upstream_queue.upstream_id = taken.upstream_id and id = queue_id)
        and not exists (select from upstream_unregistered as kept
          where kept.upstream_id = taken.upstream_id and kept.id = queue_id)
        and not exists (select from upstream_parked as parked
          where parked.upstream_id = taken.upstream_id and parked.id = queue_id)
      order by taken_at limit ${lot})`.execute(db);
  return Number(numAffectedRows);
}
