// Notes the fate of sent rows. Only the holder of an upstream does: one that has lost it changes nothing.
import type { UpstreamFault } from '@ridewatch/contract/admin-upstreams';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../core/db/db.ts';
import { moveUnregistered } from './unregistered.ts';

/** A row is sent again after a refusal that may pass: after 30 s, then twice as long each time, an hour at most. */
const AGAIN_S = 30;
const LONGEST_AGAIN_S = 3600;

/** An upstream, and the process that sends to it. */
export interface Held {
  readonly upstreamId: number;
  readonly holder: string;
}

/** Records that were refused for good. */
export interface Refused {
  readonly code: number;
  readonly records: number;
  readonly bus: number;
}

/** A row that is done with. */
export interface DoneRow {
  readonly id: number;
  /** How many of its records were confirmed. */
  readonly confirmed: number;
}

/** The fate of rows that were sent. */
export interface Outcome {
  readonly done: readonly DoneRow[];
  readonly refused: readonly Refused[];
  /** Ids of rows that are sent again later. */
  readonly later: readonly number[];
  /** Ids of rows whose bus the upstream does not know. */
  readonly unregistered: readonly number[];
  /** Buses of which it took a record. */
  readonly knownBuses: readonly number[];
  /** Buses whose next kept record asks whether the upstream knows them. */
  readonly nextBuses: readonly number[];
}

/** The outcome of nothing. */
export const NOTHING: Outcome = {
  ...{ done: [], refused: [], later: [], unregistered: [], knownBuses: [], nextBuses: [] },
};

/**
 * Notes an outcome: rows that are done with leave the queue. Of those that have fallen out of it nothing counts as confirmed.
 * @returns whether the upstream is still held; otherwise nothing is noted
 */
export async function settle(
  db: Db,
  held: Held,
  outcome: Outcome,
  nowMs: number,
): Promise<boolean> {
  const { isHeld, missed } = await settleOnce(db, held, outcome, nowMs);
  if (missed.length === 0) return isHeld;
  // They have fallen out, or their unit was moved while the statement waited for that: it has not seen where they are now.
  const done = outcome.done.filter(({ id }) => missed.includes(id));
  return (await settleOnce(db, held, { ...NOTHING, done }, nowMs)).isHeld;
}

async function settleOnce(
  db: Db,
  { upstreamId, holder }: Held,
  { done, refused, later, unregistered, knownBuses, nextBuses }: Outcome,
  nowMs: number,
): Promise<{ readonly isHeld: boolean; readonly missed: readonly number[] }> {
  const now = sql<Date>`${new Date(nowMs)}::timestamptz`;
  const isConfirmed = done.some(({ confirmed }) => confirmed > 0);
  const doneIds = sql`${done.map(({ id }) => id)}::bigint[]`;
  const { rows } = await sql<{ isHeld: boolean; missed: number[] }>`
    with held as (
      select id from upstreams where id = ${upstreamId} and holder = ${holder} for no key update
    ),
    sent as (
      delete from upstream_queue where upstream_id = (select id from held) and id = any(${doneIds}) returning id
    ),
    -- Their unit has left its bus while they were on their way.
    parked as (
      delete from upstream_parked where upstream_id = (select id from held) and id = any(${doneIds}) returning id
    ),
    gone as (select id from sent union all select id from parked),
    noted as (${isConfirmed ? countConfirmed(done, now) : sql`select`}),
    later as (
      update upstream_queue set tries = tries + 1, due_at = now() + least(${LONGEST_AGAIN_S}::float8,
        ${AGAIN_S}::float8 * 2 ^ tries) * interval '1 s'
      where upstream_id = (select id from held) and id = any(${[...later]}::bigint[])
    ),
    ${moveUnregistered({ unregistered, knownBuses, nextBuses }, now)},
    refused as (
      insert into upstream_refusals as earlier (upstream_id, code, records, last_at, workplace_id)
      select held.id, code, sum(records), ${now}, max(bus)
      from held cross join json_to_recordset(${JSON.stringify(refused)}::json)
        as one (code smallint, records int, bus bigint)
      group by held.id, code
      on conflict (upstream_id, code) do update set records = earlier.records + excluded.records,
        last_at = excluded.last_at, workplace_id = excluded.workplace_id
    )
    select exists (select from held) as "isHeld", array(
      select id from unnest(${doneIds}) as id where exists (select from held) and id not in (select id from gone)
    ) as missed`.execute(db);
  return rows[0] ?? { isHeld: false, missed: [] };
}

const countConfirmed = (done: readonly DoneRow[], now: RawBuilder<Date>) => sql`
  update upstreams set last_confirmed_at = ${now}, fault = null, fault_code = null, fault_since = null,
    confirmed = confirmed + (
      select coalesce(sum(one.confirmed), 0) from gone
      join json_to_recordset(${JSON.stringify(done)}::json) as one (id bigint, confirmed int) using (id))
  where id = (select id from held)`;

/** Puts a row off that the upstream did not answer, so that the others go on. @param waitMs ms from now on */
export async function putOff(
  db: Db,
  { upstreamId, holder }: Held,
  id: number,
  waitMs: number,
): Promise<void> {
  await db
    .updateTable('upstream_queue')
    .set({ due_at: sql<Date>`now() + ${waitMs}::float8 * interval '1 ms'` })
    .where('upstream_id', '=', upstreamId)
    .where('id', '=', id)
    .where(({ exists, selectFrom }) =>
      exists(selectFrom('upstreams').where('id', '=', upstreamId).where('holder', '=', holder)),
    )
    .execute();
}

/** Why an upstream does not work, with the code of a refused sign-in. */
export interface Fault {
  readonly fault: UpstreamFault;
  readonly code?: number;
}

/** Notes that a connection works, since when. */
export async function noteConnected(
  db: Db,
  { upstreamId, holder }: Held,
  nowMs: number,
): Promise<void> {
  await db
    .updateTable('upstreams')
    .set({ connected_since: new Date(nowMs), next_try_at: null })
    .where('id', '=', upstreamId)
    .where('holder', '=', holder)
    .execute();
}

/** Notes that a connection works, or did until it was no more needed: its upstream has no fault any more. */
export async function noteWorks(db: Db, { upstreamId, holder }: Held): Promise<void> {
  await db
    .updateTable('upstreams')
    .set(NO_FAULT)
    .where('id', '=', upstreamId)
    .where('holder', '=', holder)
    .where('fault', 'is not', null)
    .execute();
}

const NO_FAULT = { fault: null, fault_code: null, fault_since: null } as const;

/**
 * Notes that there is no connection, and why; since when a fault lasts stays.
 * @param fault undefined: by ourselves, or nothing was to be sent
 * @param nextTryMs when the next one is tried, ms since 1970 UTC; null: when something is to be sent
 */
export async function noteClosed(
  db: Db,
  { upstreamId, holder }: Held,
  fault: Fault | undefined,
  nowMs: number,
  nextTryMs: number | null,
): Promise<void> {
  const now = new Date(nowMs);
  await db
    .updateTable('upstreams')
    .set((eb) => ({
      connected_since: null,
      next_try_at: nextTryMs === null ? null : new Date(nextTryMs),
      ...(fault !== undefined && {
        fault: fault.fault,
        fault_code: fault.code ?? null,
        fault_since: sql<Date>`case when ${eb.ref('fault')} = ${fault.fault} then fault_since else ${now} end`,
      }),
    }))
    .where('id', '=', upstreamId)
    .where('holder', '=', holder)
    .execute();
}
