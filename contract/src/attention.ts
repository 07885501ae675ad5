// Causes of attention, which a job opens and ends each minute, and where their messages go.
import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { MergeFailure } from './merges.ts';
import { JobClass } from './news.ts';
import { Day, Id, IdText, Moment, Zone } from './primitives.ts';
import { changeOf } from './row-change.ts';
import { UnitProtocol } from './unit-protocols.ts';

/** Limits of a customer without settings, and people of the greater side from which an imbalance counts. */
export const ATTENTION_DEFAULTS = {
  silent_minutes: 10,
  camera_minutes: 60,
  imbalance_percent: 10,
} as const;
/** Above this share of the greater side, what is missing on the other makes a lap unreliable, unless a customer sets another. */
export const MOST_IMBALANCE = ATTENTION_DEFAULTS.imbalance_percent / 100;
/** Fewer people than this on the greater side say nothing about a counter. */
export const LEAST_COUNTED_PEOPLE = 20;

/** The disk needs attention so many days before it is crowded. */
export const DISK_DAYS = 7;

/** Most causes in an answer, and in a message. */
export const MAX_CAUSES = 200;
/** Most mail addresses of a customer. */
export const MAX_MAIL_ADDRESSES = 20;
/** Characters of the webhook's address at most. */
export const MAX_WEBHOOK_LENGTH = 1000;

/** Least time between two test messages of a customer by one channel, s. */
export const TEST_PAUSE_S = 10;

export const AttentionKind = z.enum([
  'silent_bus',
  'camera_offline',
  'imbalance',
  'merge_failed',
  /** Of customers an API key of theirs; of administrators also the disk and the certificate. */
  'runs_out',
  /** Of administrators only, as the next one. */
  'disk_full',
  'queue_starved',
  'unknown_unit',
  'odd_counter',
  /** Of administrators only, as the next one. */
  'upstream_late',
  'upstream_refuses',
]);
export type AttentionKind = z.infer<typeof AttentionKind>;

/** The details of a cause beside its bus, camera and moment. */
export const CauseDetails = z.discriminatedUnion('kind', [
  /** The bus sends nothing although it drove, or sends at this hour in other weeks. */
  z.object({
    kind: z.literal('silent_bus'),
    drove: z.boolean(),
    /** The stop of its route near which it was last; null where none is near. */
    place: z._default(z.nullable(z.string()), null),
  }),
  z.object({ kind: z.literal('camera_offline') }),
  /** People of the day's ended laps, and the difference in percent of the greater side. */
  z.object({
    kind: z.literal('imbalance'),
    day: Day,
    entered: z.int(),
    exited: z.int(),
    percent: z.int(),
  }),
  z.object({
    kind: z.literal('merge_failed'),
    merge_id: Id,
    from: Moment,
    to: Moment,
    reason: MergeFailure,
  }),
  z.object({
    kind: z.literal('runs_out'),
    what: z.enum(['disk', 'certificate', 'api_key']),
    /** Of the key, or the host of the certificate; of the disk its machine where there are several, else null. */
    name: z.nullable(z.string()),
    /** Whole days that are left; below 0: it has ended. */
    days: z.int(),
  }),
  z.object({
    kind: z.literal('disk_full'),
    percent: z.int(),
    /** Null unless there are several. */
    machine: z._default(z.nullable(z.string()), null),
  }),
  z.object({
    kind: z.literal('queue_starved'),
    class: JobClass,
    waiting: z.int(),
    minutes: z.int(),
  }),
  /** Ids knock that no unit has: how many, and the one that was heard first, at the moment of the cause; of OsmAnd its beginning, as it is a secret. */
  z.object({
    kind: z.literal('unknown_unit'),
    protocol: UnitProtocol,
    name: z.string(),
    count: z.int(),
  }),
  /** The counts of a unit of the bus do not look as its setting says, but like this. */
  z.object({
    kind: z.literal('odd_counter'),
    unit_id: Id,
    looks: z.enum(['delta', 'cumulative']),
  }),
  /** Records wait for an upstream for longer than they may. */
  z.object({
    kind: z.literal('upstream_late'),
    name: z.string(),
    /** Absent in causes of earlier versions. */
    upstream_id: z.optional(Id),
  }),
  /** An upstream does not know some buses (result 153): their number. Another result refuses records for good: theirs in all. */
  z.object({
    kind: z.literal('upstream_refuses'),
    name: z.string(),
    /** Absent in causes of earlier versions. */
    upstream_id: z.optional(Id),
    code: z.int(),
    number: z.int(),
  }),
]);
export type CauseDetails = z.infer<typeof CauseDetails>;

/** The bus that a cause is about, with its route. */
export const CauseBus = z.nullable(
  z.object({ id: Id, name: z.string(), route: z.nullable(z.string()), timezone: Zone }),
);
export const CauseCamera = z.nullable(z.object({ id: Id, name: z.string(), live: z.boolean() }));

/** Something that needs attention now. */
export const Cause = z.object({
  id: Id,
  details: CauseDetails,
  /** When it began; it was opened later, when its limit was passed. */
  since: Moment,
  opened_at: Moment,
  workplace: CauseBus,
  camera: CauseCamera,
  /** Whether the user has seen it. */
  seen: z.boolean(),
});
export type Cause = z.infer<typeof Cause>;

export const CauseList = z.object({
  items: z.array(Cause),
  number: z.int(),
  total: z.int(),
  /** Of all of them. */
  unseen: z.int(),
});
export type CauseList = z.infer<typeof CauseList>;

export const listCauses = endpoint({
  method: 'GET',
  path: '/api/attention',
  summary: `What needs attention now, the latest first, at most ${MAX_CAUSES}`,
  access: 'user',
  response: CauseList,
  errors: ['unauthorized'],
});

const Minutes = z.int().check(z.minimum(5), z.maximum(1440));
const WallTime = z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be HH:mm'));

/**
 * Limits, quiet hours and addresses of a customer or of the installation. A function, and pure: screens, which read no
 * schema of a call, would load the checks of addresses before sign-in.
 */
const settings = () => ({
  silent_minutes: Minutes,
  camera_minutes: Minutes,
  imbalance_percent: z.int().check(z.minimum(1), z.maximum(100)),
  /** Kinds that are sent; all are shown. */
  sent_kinds: z.array(AttentionKind).check(z.maxLength(AttentionKind.options.length)),
  /** Local times between which nothing is sent, over midnight if `to` is the earlier; null: none. */
  quiet_hours: z.nullable(z.object({ from: WallTime, to: WallTime })),
  timezone: Zone,
  /** Gets a signed POST (docs/webhooks.md); null: none. */
  webhook_url: z.nullable(z.url({ protocol: /^https?$/ }).check(z.maxLength(MAX_WEBHOOK_LENGTH))),
  mail_to: z.array(z.email().check(z.maxLength(255))).check(z.maxLength(MAX_MAIL_ADDRESSES)),
  /** Of mails. */
  language: z.enum(['ru_RU', 'en_US']),
});

/** The state of a channel: its last attempts. */
const ChannelState = z.object({
  waiting: z.int(),
  /** Sent, and given up, in the last 7 days. */
  sent: z.int(),
  failed: z.int(),
  last_error: z.nullable(z.string()),
});

export const AttentionSettings = z.object({
  .../* @__PURE__ */ settings(),
  client_id: z.nullable(Id),
  /** Whether there is a webhook. Its address is null for users without the edit right: it may hold a secret. */
  has_webhook: z.boolean(),
  /** Whether the installation can send mail at all. */
  mail_available: z.boolean(),
  webhook: ChannelState,
  mail: ChannelState,
});
export type AttentionSettings = z.infer<typeof AttentionSettings>;

/** Without a customer: those of the installation, for administrators. */
const whose = z.object({ clientId: z.optional(IdText) });

export const findAttentionSettings = endpoint({
  method: 'GET',
  path: '/api/attention/settings',
  summary: 'Limits, quiet hours and addresses of messages of a customer, and how sending goes',
  access: 'user',
  query: whose,
  response: AttentionSettings,
  errors: ['unauthorized', 'invalid_request', 'no_right', 'not_found'],
});

export const setAttentionSettings = endpoint({
  method: 'PUT',
  path: '/api/attention/settings',
  summary: 'Changes limits, quiet hours and addresses of messages of a customer',
  access: 'user',
  query: whose,
  body: z.extend(changeOf(settings()), {
    /** Makes a new key for the signatures. A first webhook gets one anyway. */
    new_secret: z._default(z.boolean(), false),
  }),
  response: z.extend(AttentionSettings, {
    /** The new key, shown this once; null if there is no new one. */
    webhook_secret: z.nullable(z.string()),
  }),
  errors: ['unauthorized', 'invalid_request', 'no_right', 'not_found', 'conflict'],
});

/** The ways by which messages go. */
export const AttentionChannel = z.enum(['webhook', 'mail']);
export type AttentionChannel = z.infer<typeof AttentionChannel>;

export const testAttentionChannel = endpoint({
  method: 'POST',
  path: '/api/attention/settings/test',
  summary: 'Sends a test message to the stored address now, and answers how it went',
  access: 'user',
  query: whose,
  body: z.object({ channel: AttentionChannel }),
  response: z.object({
    /** Why the message was not taken; null if it was. */
    error: z.nullable(z.string()),
  }),
  errors: ['unauthorized', 'invalid_request', 'no_right', 'not_found', 'too_many_attempts'],
});
