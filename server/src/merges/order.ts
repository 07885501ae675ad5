// Chooses the merge that runs next. One merge runs at a time, so the customers take turns: the job's priority is the
// number of requests that its customer asked for before and that are not finished. When a merge ends, its customer's
// next request goes behind the first ones of the others.
import { MAX_OPEN_MERGES } from '@ridewatch/contract/merges';
import { sql } from 'kysely';
import type { Db, Tx } from '../core/db/db.ts';
import { AppError } from '../core/errors.ts';
import { addJob } from '../core/jobs/jobs.ts';

/** When a customer that has too many may ask again, s. */
const COME_BACK_S = 60;

/**
 * Locks the customer until the transaction ends, and checks its limit of unfinished merges.
 * @param clientId null for buses without a customer, which count as one
 * @throws AppError too_many_attempts when too many of its requests are not finished
 */
export async function checkOpenMerges(tx: Tx, clientId: number | null): Promise<void> {
  await tx
    .selectFrom('clients')
    .select('id')
    .where('id', '=', clientId ?? 0)
    .forNoKeyUpdate()
    .execute();
  const { open } = await tx
    .selectFrom('merge_requests')
    .select((eb) => eb.fn.countAll<number>().as('open'))
    .where('status', '=', 'PROCESS')
    .where('client_id', clientId === null ? 'is' : '=', clientId)
    .executeTakeFirstOrThrow();
  if (Number(open) < MAX_OPEN_MERGES) return;
  const message = `${MAX_OPEN_MERGES} merges of this customer are unfinished. Wait for one or cancel one.`;
  throw new AppError('too_many_attempts', message, { retryAfterS: COME_BACK_S });
}

/**
 * Queues a merge, new or interrupted, to run when its customer's turn comes.
 * @param keepExisting leaves an existing job as it is
 */
export async function nudgeMerge(db: Db, id: number, keepExisting = false): Promise<void> {
  const { rows } = await sql<{ ahead: number }>`
    select count(*)::int as ahead from merge_requests as earlier
    join merge_requests as asked on asked.id = ${id}
    where earlier.status = 'PROCESS' and earlier.id < asked.id
      and earlier.client_id is not distinct from asked.client_id`.execute(db);
  const options = { key: `merge:${id}`, maxAttempts: 4, priority: rows[0]?.ahead ?? 0 };
  await addJob(db, 'merge', { requestId: id }, { ...options, keepExisting });
}

/**
 * Queues the next merges when one has ended.
 * @param endedId the merge
 * @param silentSince a merge without progress since then is not running
 */
export async function nudgeNext(tx: Tx, endedId: number, silentSince: Date): Promise<void> {
  const next = await findNext(tx, endedId);
  if (next !== undefined) await nudgeMerge(tx, next);
  const lost = await findFirstWithoutJob(tx, endedId, silentSince);
  if (lost !== undefined) await nudgeMerge(tx, lost);
}

// The customer's next request, if its job still has the priority of a later one. A job that waits for a retry stays as
// it is.
async function findNext(tx: Tx, endedId: number): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    select next.id from (
      select waiting.id from merge_requests as waiting join merge_requests as ended on ended.id = ${endedId}
      where waiting.status = 'PROCESS' and waiting.id <> ended.id
        and waiting.client_id is not distinct from ended.client_id
      order by waiting.id limit 1) as next
    join graphile_worker.jobs on key = 'merge:' || next.id
    where locked_at is null and attempts = 0 and priority > 0`.execute(tx);
  return rows[0]?.id;
}

// Another process that took a job while this merge ran dropped the job. Of such requests, the one is next whose
// customer has the fewest before it; of equals, the one that has been first of its customer's for longest.
async function findFirstWithoutJob(
  tx: Tx,
  endedId: number,
  silentSince: Date,
): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    with waiting as (
      select id, coalesce(client_id, 0) as customer, created_at, worked_at,
        row_number() over (partition by client_id order by id) as place
      from merge_requests where status = 'PROCESS' and id <> ${endedId}),
    served as (
      select customer, (select max(completed_at) from merge_requests
        where coalesce(client_id, 0) = customer and fail_reason is distinct from 'cancelled') as at
      from (select distinct customer from waiting) as customers)
    select id from waiting left join served using (customer)
    where (worked_at is null or worked_at <= ${silentSince})
      and not exists (select from graphile_worker.jobs
        where key = 'merge:' || waiting.id and locked_at is null)
    order by place, greatest(created_at, served.at), id limit 1`.execute(tx);
  return rows[0]?.id;
}
