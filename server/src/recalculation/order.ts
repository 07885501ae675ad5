// Chooses the recalculation that runs next. Recounts go after everything that units have just sent. Among themselves
// the customers take turns: the priority of a job is the number of the customer's jobs before it.
import { MAX_OPEN_RECALCULATIONS } from '@ridewatch/contract/recalculation';
import { type RawBuilder, sql } from 'kysely';
import type { Db, Tx } from '../core/db/db.ts';
import { AppError } from '../core/errors.ts';
import { videoPriorities } from '../core/jobs/job-classes.ts';
import { addJob } from '../core/jobs/jobs.ts';

const { firstRecount, lastRecount } = videoPriorities;
/** When a customer that has too many may ask again, s. */
const COME_BACK_S = 60;

// The customer of a bus; a bus without one counts for itself. Ids of customers are positive.
const customerOf = (busId: RawBuilder<unknown>): RawBuilder<number> =>
  sql<number>`coalesce((select min(client_id) from workplace_clients where workplace_id = ${busId}), -${busId})`;

/** Lets requests about a bus and its customer take turns until the transaction ends. Customers come before buses. */
export async function lockRecalculations(tx: Tx, busId: number): Promise<void> {
  const customer = customerOf(sql`${busId}::bigint`);
  await sql`select from clients where id = ${customer} for no key update`.execute(tx);
  await sql`select from workplaces where id = ${busId} for no key update`.execute(tx);
}

/**
 * Checks the limit of unfinished recalculations of a bus's customer; the caller has called `lockRecalculations`.
 * @throws AppError too_many_attempts when too many of its recalculations are still choosing fragments
 */
export async function checkOpenRecalculations(tx: Tx, busId: number): Promise<void> {
  const bus = sql`${busId}::bigint`;
  const { rows } = await sql<{ open: number }>`select count(*)::int as open from recalculations
    where listed_at is null and ${customerOf(sql.ref('workplace_id'))} = ${customerOf(bus)}`.execute(
    tx,
  );
  if ((rows[0]?.open ?? 0) < MAX_OPEN_RECALCULATIONS) return;
  const message = `${MAX_OPEN_RECALCULATIONS} recalculations of this customer still select fragments. Try again soon.`;
  throw new AppError('too_many_attempts', message, { retryAfterS: COME_BACK_S });
}

/**
 * Queues a recalculation, new or interrupted, to run when its customer's turn comes.
 * @param delayMs not before this time from now
 */
export async function nudgeRecalculation(db: Db, id: number, delayMs = 0): Promise<void> {
  const { rows } = await sql<{ ahead: number }>`
    select count(*)::int as ahead from recalculations as earlier
    join recalculations as asked on asked.id = ${id}
    where earlier.listed_at is null and earlier.id < asked.id
      and ${customerOf(sql.ref('earlier.workplace_id'))} = ${customerOf(sql.ref('asked.workplace_id'))}`.execute(
    db,
  );
  const options = { key: `recalculate:${id}`, delayMs, priority: rows[0]?.ahead ?? 0 };
  await addJob(db, 'recalculate_segments', { id }, options);
}

/**
 * Counts what a bus's customer has waiting to be recounted.
 * @returns gives the priority of the customer's next recount, behind those that wait
 */
export async function startRecounts(db: Db, busId: number): Promise<() => number> {
  const { rows } = await sql<{ waiting: number }>`
    select count(*)::int as waiting from segments
    join recalculations on recalculations.id = recalculation_id
    where segments.status = 'PROCESSING'
      and ${customerOf(sql.ref('workplace_id'))} = ${customerOf(sql`${busId}::bigint`)}`.execute(
    db,
  );
  let last = firstRecount + (rows[0]?.waiting ?? 0) - 1;
  return () => {
    last += 1;
    return Math.min(last, lastRecount);
  };
}
