import { randomBytes } from 'node:crypto';
import {
  ATTENTION_DEFAULTS,
  AttentionKind,
  type AttentionSettings,
  type setAttentionSettings,
} from '@ridewatch/contract/attention';
import { FALLBACK_ZONE } from '@ridewatch/contract/day';
import type { BodyOf } from '@ridewatch/contract/endpoint';
import { type RawBuilder, sql } from 'kysely';
import type { SettingsOwner } from '../access/cause.ts';
import type { Editable, Visible } from '../access/visible.ts';
import { type Actor, insertAudit } from '../core/audit.ts';
import type { Db, Tx } from '../core/db/db.ts';
import { refuseUnseen } from '../core/refuse-unseen.ts';

/** How long the counts of sent and failed messages reach back, ms. */
const STATE_MS = 7 * 24 * 3_600_000;
const SECRET_BYTES = 32;

type Wanted = BodyOf<typeof setAttentionSettings>;

/** The facts that the answers depend on besides the rows. */
export interface SettingsQuestion {
  readonly nowMs: number;
  readonly hasMail: boolean;
  /** Whether the user may change the settings, and so see the address of the webhook. */
  readonly mayEdit: boolean;
}

/** The settings of a customer or of the installation; the defaults where nobody set any. */
export async function findSettings(
  db: Db,
  { clientId }: Visible<SettingsOwner>,
  { nowMs, hasMail, mayEdit }: SettingsQuestion,
): Promise<AttentionSettings> {
  const row = await readSettings(db, clientId);
  const { rows } = await sql<ChannelRow>`
    select channel, count(*) filter (where status = 'waiting')::int as waiting,
      count(*) filter (where status = 'sent')::int as sent,
      count(*) filter (where status = 'failed')::int as failed,
      (array_agg(error order by coalesce(delivery.ended_at, due_at) desc)
        filter (where error is not null))[1] as last_error
    from attention_deliveries as delivery join attention_causes as cause on cause.id = delivery.cause_id
    where ${isOwnedBy(clientId)} and (status = 'waiting' or delivery.ended_at > ${new Date(nowMs - STATE_MS)})
    group by channel`.execute(db);
  const stateOf = (channel: 'webhook' | 'mail') => {
    const found = rows.find((one) => one.channel === channel);
    return {
      waiting: found?.waiting ?? 0,
      sent: found?.sent ?? 0,
      failed: found?.failed ?? 0,
      last_error: found?.last_error ?? null,
    };
  };
  return {
    client_id: clientId,
    ...shownOf(row),
    webhook_url: mayEdit ? (row?.webhook_url ?? null) : null,
    has_webhook: row !== undefined && row.webhook_url !== null,
    mail_available: hasMail,
    webhook: stateOf('webhook'),
    mail: stateOf('mail'),
  };
}

/**
 * Changes settings.
 * @returns the new key of the signatures; null if there is no new one
 * @throws AppError conflict when somebody else has changed one of them since the user saw it
 */
export async function storeSettings(
  tx: Tx,
  actor: Actor,
  { clientId }: Editable<SettingsOwner>,
  wanted: Wanted,
): Promise<string | null> {
  const { new_secret, seen: _, ...changed } = wanted;
  // A row to lock: two first calls would each make a key.
  const { quiet_hours: __, ...none } = NONE;
  await tx
    .insertInto('attention_settings')
    .values({ client_id: clientId, ...none })
    .onConflict((conflict) => conflict.column('client_id').doNothing())
    .execute();
  const before = await readSettings(tx, clientId, sql`for no key update`);
  const shown = shownOf(before);
  refuseUnseen(shown, wanted, shown);
  const named = Object.entries(changed).filter(([, value]) => value !== undefined);
  const after: Settings = { ...shown, ...Object.fromEntries(named) };
  const { quiet_hours, ...own } = after;
  const isNew = own.webhook_url !== null && (new_secret || !before?.webhook_secret);
  const secret = isNew ? randomBytes(SECRET_BYTES).toString('base64url') : null;
  const values = {
    ...own,
    quiet_from: quiet_hours?.from ?? null,
    quiet_to: quiet_hours?.to ?? null,
    webhook_secret: own.webhook_url === null ? null : (secret ?? before?.webhook_secret ?? null),
  };
  await tx
    .updateTable('attention_settings')
    .set(values)
    .where(sql<boolean>`client_id is not distinct from ${clientId}::bigint`)
    .execute();
  await insertAudit(tx, actor, {
    action: 'set_attention_settings',
    objectType: clientId === null ? 'installation' : 'client',
    ...(clientId === null ? {} : { objectId: clientId }),
    before: shown,
    after: { ...after, has_new_secret: isNew },
  });
  return secret;
}

interface ChannelRow {
  readonly channel: 'webhook' | 'mail';
  readonly waiting: number;
  readonly sent: number;
  readonly failed: number;
  readonly last_error: string | null;
}

function isOwnedBy(clientId: number | null): RawBuilder<boolean> {
  return clientId === null
    ? sql<boolean>`cause.client_id is null`
    : sql<boolean>`cause.client_id = ${clientId}`;
}

/** The settings that a user makes. */
type Settings = Omit<
  AttentionSettings,
  'client_id' | 'has_webhook' | 'mail_available' | 'webhook' | 'mail'
>;

type SettingsRow = Omit<Settings, 'quiet_hours'> & {
  readonly quiet_from: string | null;
  readonly quiet_to: string | null;
  readonly webhook_secret: string | null;
};

/** The stored settings with the key of the signatures; undefined where nobody set any. */
export async function readSettings(
  db: Db,
  clientId: number | null,
  lock: RawBuilder<unknown> = sql``,
): Promise<SettingsRow | undefined> {
  const { rows } = await sql<SettingsRow>`
    select silent_minutes, camera_minutes, imbalance_percent, sent_kinds, quiet_from, quiet_to,
      timezone, webhook_url, webhook_secret, mail_to, language
    from attention_settings where client_id is not distinct from ${clientId}::bigint ${lock}`.execute(
    db,
  );
  return rows[0];
}

function shownOf(row: SettingsRow | undefined): Settings {
  if (row === undefined) return NONE;
  const { quiet_from: from, quiet_to: to, webhook_secret: _, ...own } = row;
  return { ...own, quiet_hours: from === null || to === null ? null : { from, to } };
}

const NONE: Settings = {
  ...ATTENTION_DEFAULTS,
  sent_kinds: AttentionKind.options,
  quiet_hours: null,
  timezone: FALLBACK_ZONE,
  webhook_url: null,
  mail_to: [],
  language: 'ru_RU',
};
