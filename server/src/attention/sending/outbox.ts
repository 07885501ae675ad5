// Rows of attention_deliveries: what is still to be sent, by channel of a customer. A channel sends one message at a time,
// under a lease, so that a dead address delays its own messages only. What was claimed by a killed process is sent again:
// a receiver may get a message twice, never none. Only the database's clock says how long a lease lasts.
import { MAX_CAUSES } from '@ridewatch/contract/attention';
import { sql } from 'kysely';
import type { Db } from '../../core/db/db.ts';
import { lockCauses } from '../lock.ts';

/** Longer than any attempt, ms. */
const LEASE_MS = 60_000;
/** Waits after failed attempts, minutes: a day in all. Then the message has failed. */
const RETRY_MINUTES = [1, 2, 4, 8, 15, 30, 60, 120, 240, 240, 240, 240, 240];
/** Key of the advisory lock under which channels are claimed. Any constant will do. */
const CLAIM_LOCK = 7_236_522;

/** A channel of a customer that has something to send now. */
export interface DueChannel {
  readonly clientId: number | null;
  readonly channel: 'webhook' | 'mail';
  readonly deliveryIds: readonly number[];
  readonly causeIds: readonly number[];
  /** The most attempts of one of them. */
  readonly attempts: number;
  readonly timezone: string;
  readonly quietFrom: string | null;
  readonly quietTo: string | null;
  readonly webhookUrl: string | null;
  readonly webhookSecret: string | null;
  readonly mailTo: readonly string[];
  readonly language: 'ru_RU' | 'en_US';
}

/** Drops what ended before it was sent, and what has no address any more. */
export async function dropOutdated(db: Db, nowMs: number): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await lockCauses(tx);
    await sql`
      update attention_deliveries as delivery set status = 'dropped', ended_at = ${new Date(nowMs)}
      from attention_causes as cause
      left join attention_settings as own on coalesce(own.client_id, 0) = coalesce(cause.client_id, 0)
      where delivery.status = 'waiting' and cause.id = delivery.cause_id
        and (cause.ended_at is not null or own.sent_kinds is null
          or not case delivery.channel when 'webhook' then own.webhook_url is not null
            else own.mail_to <> '{}' end)`.execute(tx);
  });
}

/** Takes the channel that has failed least and waited longest; undefined when none is due. */
export async function claimChannel(db: Db, nowMs: number): Promise<DueChannel | undefined> {
  return db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(${CLAIM_LOCK})`.execute(tx);
    const now = sql`${new Date(nowMs)}::timestamptz`;
    const { rows } = await sql<DueChannel>`
      with waiting as (
        select delivery.*, cause.client_id from attention_deliveries as delivery
        join attention_causes as cause on cause.id = delivery.cause_id
        where delivery.status = 'waiting' and due_at <= ${now}
      ),
      next as (
        select coalesce(client_id, 0) as owner, channel from waiting
        group by 1, 2 having coalesce(max(claimed_until), '-infinity') <= now()
        order by max(attempts), min(due_at), 1, 2 limit 1
      ),
      claimed as (
        update attention_deliveries set claimed_until = now() + ${LEASE_MS}::float8 * interval '1 ms'
        where id in (select id from waiting join next
          on owner = coalesce(client_id, 0) and next.channel = waiting.channel
          order by id limit ${MAX_CAUSES})
        returning id, cause_id, attempts, channel
      )
      select nullif(owner, 0) as "clientId", next.channel, claimed.ids as "deliveryIds",
        claimed.causes as "causeIds", claimed.attempts, timezone, quiet_from as "quietFrom",
        quiet_to as "quietTo", webhook_url as "webhookUrl", webhook_secret as "webhookSecret",
        mail_to as "mailTo", language
      from next
      cross join (select array_agg(id order by id) as ids, array_agg(cause_id order by id) as causes,
        max(attempts) as attempts from claimed) as claimed
      join attention_settings as own on coalesce(own.client_id, 0) = owner`.execute(tx);
    return rows[0];
  });
}

/** They were taken. */
export async function markSent(db: Db, ids: readonly number[], nowMs: number): Promise<void> {
  await sql`update attention_deliveries set status = 'sent', attempts = attempts + 1, error = null,
    ended_at = ${new Date(nowMs)}, claimed_until = null where id = any(${[...ids]}::bigint[])`.execute(
    db,
  );
}

/** An attempt failed: they are tried again later, or have failed. @param error a sentence for people */
export async function markTried(
  db: Db,
  ids: readonly number[],
  error: string,
  nowMs: number,
): Promise<void> {
  const last = RETRY_MINUTES.length;
  await sql`update attention_deliveries set attempts = attempts + 1, error = ${error}, claimed_until = null,
      status = case when attempts >= ${last}::int then 'failed' else 'waiting' end,
      ended_at = case when attempts >= ${last}::int then ${new Date(nowMs)}::timestamptz end,
      due_at = ${new Date(nowMs)}::timestamptz + make_interval(mins =>
        (${RETRY_MINUTES}::int[])[least(attempts + 1, ${last}::int)])
    where id = any(${[...ids]}::bigint[])`.execute(db);
}

/** Holds them until the quiet hours end. @param untilMs ms since 1970 UTC */
export async function holdUntil(db: Db, ids: readonly number[], untilMs: number): Promise<void> {
  await sql`update attention_deliveries set due_at = ${new Date(untilMs)}, claimed_until = null
    where id = any(${[...ids]}::bigint[])`.execute(db);
}
