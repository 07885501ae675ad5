// Decides whose upload is verified next. Customers take turns in rounds. In each round a customer has one upload that a
// user requested and one that a unit sent unasked. The job's priority is its round. A customer's upload gets the round
// after that of its last waiting one; a customer without waiting uploads joins the current round. So nobody waits for
// all uploads of another customer, and nobody overtakes waiting customers by sending more.
import { sql } from 'kysely';
import type { Db } from '../core/db/db.ts';
import { videoPriorities } from '../core/jobs/job-classes.ts';
import { addJob } from '../core/jobs/jobs.ts';

const { firstVerification, lastVerification } = videoPriorities;
/** A round has two priorities. Uploads beyond the last one are verified in the order of their arrival. */
const LAST_ROUND = Math.floor((lastVerification - firstVerification) / 2);

/**
 * Queues the verification of a finished upload with its customer's priority.
 * @param isSweep keeps an existing job
 */
export async function nudgeVerification(db: Db, uploadId: string, isSweep = false): Promise<void> {
  const options = { key: `verify:${uploadId}`, maxAttempts: 5, keepExisting: isSweep };
  const priority = await findPriority(db, uploadId);
  await addJob(db, 'verify_upload', { uploadId }, { ...options, priority });
}

// A bus of several customers counts for the first of them, one without a customer for itself.
async function findPriority(db: Db, uploadId: string): Promise<number> {
  const { rows } = await sql<{ priority: number }>`
    with asked as (
      select uploads.unit_id, (select min(client_id) from workplace_clients
          where workplace_clients.workplace_id = units.workplace_id) as client_id,
        case when status_from = 'DOWNLOADING_FROM_TASK' then 0 else 1 end as line
      from uploads join segments on segments.id = segment_id join units on units.id = uploads.unit_id
      where uploads.id = ${uploadId}),
    own_units as (
      select unit_id as id from asked union
      select units.id from asked join workplace_clients as own using (client_id)
      join units using (workplace_id)
      where not exists (select from workplace_clients as earlier
        where earlier.workplace_id = own.workplace_id and earlier.client_id < own.client_id)),
    queued as materialized (
      select key, (priority - ${firstVerification}::int) / 2 as round, priority % 2 as line,
        locked_at is not null as is_running
      from graphile_worker.jobs where task_identifier = 'verify_upload' and attempts < max_attempts),
    own as (
      select max(round) + 1 as next from queued join uploads on key = 'verify:' || uploads.id
      where line = (select line from asked) and uploads.unit_id in (select id from own_units))
    select ${firstVerification}::int + line + 2 * least(${LAST_ROUND}::int, greatest(0, own.next,
      coalesce((select max(round) from queued where is_running), (select min(round) from queued))))
      as priority
    from asked, own`.execute(db);
  return rows[0]?.priority ?? firstVerification;
}
