// Every minute: opens and ends causes, in four statements whatever the size of the fleet. It may run twice or be late:
// an open cause has one row, and what is found decides. A cause gets its messages in the statement that opens it. When
// it opens again, that statement also restores the messages that were dropped: each channel has to send it once.
import { sql } from 'kysely';
import type { Db, Tx } from '../core/db/db.ts';
import { listDisks, noteDisk } from '../core/disk-readings.ts';
import { degradedOf, type JobBacklog, listJobBacklogs } from '../core/jobs/job-backlogs.ts';
import { addJob, EVERY_MINUTE, type JobDefinition } from '../core/jobs/jobs.ts';
import type { Deps } from '../deps.ts';
import { diskCauses } from './disks.ts';
import { createEnds } from './ends.ts';
import { findCauses, type OwnCause } from './find-causes.ts';
import { lockCauses } from './lock.ts';

/** A cause that returns so soon after its end is the same one: a channel that sent it does not send it again, ms. */
const SAME_MS = 3_600_000;
/** An imbalance belongs to its day, in which it may come and go. */
const SAME_IMBALANCE_MS = 24 * 3_600_000;
/** After a longer pause of the job, silence counts from now: the server may have heard nobody, ms. */
const PAUSE_MS = 3 * 60_000;
/** Ended causes are kept so long, ms. */
const KEEP_MS = 30 * 24 * 3_600_000;

/** Opens and ends causes. */
export function watchAttentionJob(deps: Deps): JobDefinition {
  const { clock, disk, config } = deps;
  const { db } = deps.database;
  const findEnds = createEnds(deps);
  return {
    name: 'watch_attention',
    schedule: EVERY_MINUTE,
    run: async () => {
      const nowMs = clock.nowMs();
      const backlogs = await listJobBacklogs(db);
      await noteDisk(db, disk, nowMs);
      const own = [
        ...diskCauses(await listDisks(db), disk.limits.crowded, nowMs),
        ...queueCauses(backlogs, nowMs),
        ...(await findEnds(nowMs)),
      ];
      await watchAttention(db, own, nowMs, config.smtpUrl !== undefined);
    },
  };
}

/**
 * Brings the causes in line with what is found.
 * @param own causes of the installation
 * @param nowMs ms since 1970 UTC
 * @param hasMail whether the installation can send mail
 */
export async function watchAttention(
  db: Db,
  own: readonly OwnCause[],
  nowMs: number,
  hasMail: boolean,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await lockCauses(tx);
    const watchedSinceMs = await noteLook(tx, nowMs);
    const toSend = await applyCauses(tx, { nowMs, watchedSinceMs }, own, hasMail);
    if (toSend > 0) await addJob(tx, 'send_attention', {}, { key: 'send_attention' });
    await sql`delete from attention_causes where ended_at < ${new Date(nowMs - KEEP_MS)}`.execute(
      tx,
    );
  });
}

async function noteLook(tx: Tx, nowMs: number): Promise<number> {
  const now = new Date(nowMs);
  const { rows } = await sql<{ since: Date }>`
    insert into attention_watch (since, looked_at) values (${now}, ${now})
    on conflict (only_row) do update set looked_at = ${now},
      since = case when attention_watch.looked_at < ${new Date(nowMs - PAUSE_MS)} then ${now}
        else attention_watch.since end
    returning since`.execute(tx);
  return rows[0]?.since.getTime() ?? nowMs;
}

async function applyCauses(
  tx: Tx,
  present: { nowMs: number; watchedSinceMs: number },
  own: readonly OwnCause[],
  hasMail: boolean,
): Promise<number> {
  const now = new Date(present.nowMs);
  const { rows } = await sql<{ count: number }>`
    with listed as (${findCauses(present, own)}),
    found as materialized (
      select *, kind || ' ' || coalesce(client_id, 0)::text || ' ' || coalesce(workplace_id, 0)::text
        || ' ' || coalesce(camera_id, 0)::text || ' ' || subject as key from listed
    ),
    open as materialized (select id, key from attention_causes where ended_at is null),
    going_on as (
      update attention_causes as cause set details = found.details,
        -- A certificate that took the place of another one has another end, which is read back from here.
        -- Of unknown units the moment is that of the one it names.
        since = case when cause.subject = 'certificate' or cause.kind = 'unknown_unit' then found.since
          else cause.since end
      from open join found on found.key = open.key
      where cause.id = open.id and cause.details <> found.details
    ),
    ended as (
      update attention_causes as cause set ended_at = ${now}
      from open left join found on found.key = open.key
      where cause.id = open.id and found.key is null
    ),
    fresh as materialized (
      select found.*, (
        select id from attention_causes as before
        where before.key = found.key and before.ended_at is not null and before.ended_at >
          ${now}::timestamptz - (case when found.kind = 'imbalance' then ${SAME_IMBALANCE_MS}::float8
            else ${SAME_MS}::float8 end) * interval '1 ms'
        order by before.ended_at desc limit 1) as before_id
      from found left join open on open.key = found.key
      where found.opens and open.key is null
    ),
    opened_again as (
      update attention_causes as cause set ended_at = null, since = fresh.since, details = fresh.details
      from fresh where cause.id = fresh.before_id
      returning cause.id, cause.kind, cause.client_id
    ),
    opened as (
      insert into attention_causes
        (kind, client_id, workplace_id, camera_id, subject, since, opened_at, details)
      select kind, client_id, workplace_id, camera_id, subject, since, ${now}, details
      from fresh where before_id is null
      returning id, kind, client_id
    ),
    wanted as materialized (
      select cause.id as cause_id, channel
      from (select * from opened union all select * from opened_again) as cause
      join attention_settings as own on coalesce(own.client_id, 0) = coalesce(cause.client_id, 0)
        and cause.kind = any(own.sent_kinds)
      cross join lateral (
        select 'webhook' as channel where own.webhook_url is not null
        union all select 'mail' where ${hasMail}::boolean and own.mail_to <> '{}'
      ) as channels
    ),
    -- A lease stays: the process that holds it may be sending the message.
    waiting_again as (
      update attention_deliveries as delivery
      set status = 'waiting', due_at = ${now}, attempts = 0, ended_at = null
      from wanted
      where delivery.cause_id = wanted.cause_id and delivery.channel = wanted.channel
        and delivery.status = 'dropped'
      returning delivery.id
    ),
    to_send as (
      insert into attention_deliveries (cause_id, channel, created_at, due_at)
      select cause_id, channel, ${now}, ${now} from wanted
      where not exists (select from attention_deliveries as known
        where known.cause_id = wanted.cause_id and known.channel = wanted.channel)
      returning id
    )
    select ((select count(*) from waiting_again) + (select count(*) from to_send))::int as count`.execute(
    tx,
  );
  return rows[0]?.count ?? 0;
}

function queueCauses(backlogs: readonly JobBacklog[], nowMs: number): OwnCause[] {
  return degradedOf(backlogs).map(({ class: name, waiting, oldestS }) => ({
    subject: name,
    since: new Date(nowMs - 1000 * oldestS),
    details: {
      kind: 'queue_starved',
      ...{ class: name, waiting, minutes: Math.floor(oldestS / 60) },
    },
    opens: true,
  }));
}
