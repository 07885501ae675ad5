// Upstreams: systems to which the server passes on positions and people in EGTS (docs/egts-out.md).
import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { Named, pageFields, pageOf, YesNo } from './paging.ts';
import { Id, IdText, Moment, Text } from './primitives.ts';
import { changeOf } from './row-change.ts';

/** Most upstreams: each has a connection of its own. */
export const MAX_UPSTREAMS = 20;
/** Most waiting records that are counted. */
export const MAX_COUNTED_WAITING = 100_000;
/** The queue of an upstream loses what is older, and the oldest beyond so many rows. */
export const UPSTREAM_KEEP_DAYS = 3;
export const UPSTREAM_KEEP_ROWS = 5_000_000;
/** Most buses that are named among those that an upstream does not know. */
export const MAX_NAMED_UNREGISTERED = 20;
/** Most customers of an upstream, and most buses of one change of numbers. */
export const MAX_UPSTREAM_CLIENTS = 200;
export const MAX_NUMBERED_BUSES = 500;

/** How the server says who it is: not at all, as a platform with many objects, or as a terminal. */
export const UpstreamSignIn = z.enum(['none', 'dispatcher', 'terminal']);
export type UpstreamSignIn = z.infer<typeof UpstreamSignIn>;

/** Why nothing gets through. */
export const UpstreamFault = z.enum([
  'unknown_host',
  'unreachable',
  /** Nobody listens on the port. */
  'refused',
  /** The upstream closed the connection. */
  'closed',
  'no_answer',
  /** It does not answer in EGTS. */
  'garbled',
  'sign_in_refused',
]);
export type UpstreamFault = z.infer<typeof UpstreamFault>;

/** The number of a bus, a dispatcher or a terminal in EGTS. */
const EgtsNumber = z.int().check(z.minimum(1), z.maximum(4_294_967_295));

/** A name, an address of IPv4, or one of IPv6. */
const Host = z
  .string()
  .check(
    z.regex(
      /^([A-Za-z0-9]([A-Za-z0-9._-]{0,251}[A-Za-z0-9])?|[0-9A-Fa-f]{0,4}(:[0-9A-Fa-f.]{0,15}){2,8})$/,
      'must be the name or the address of a computer',
    ),
  );

const settings = {
  name: Text,
  host: Host,
  port: z.int().check(z.minimum(1), z.maximum(65_535)),
  enabled: z.boolean(),
  sign_in: UpstreamSignIn,
  /** Its number there; null: it does not sign in. */
  sign_in_id: z.nullable(EgtsNumber),
  /** The words of a dispatcher about itself, at most 255 bytes of UTF-8. */
  sign_in_text: z.nullable(Text),
  /**
   * Whether it gets all buses, whatever their customer. Without it at least one of `client_ids` is required: the two defaults
   * together are refused.
   */
  all_clients: z.boolean(),
  /** The customers whose buses it gets; none with `all_clients`. */
  client_ids: z.array(Id).check(z.maxLength(MAX_UPSTREAM_CLIENTS)),
  /** Whether it gets people, too; else positions only. */
  with_people: z.boolean(),
  /** It needs attention when the oldest waiting record is older, minutes. */
  late_minutes: z.int().check(z.minimum(1), z.maximum(1440)),
};

export const Upstream = z.object({
  ...settings,
  id: Id,
  clients: z.array(Named),
  created_at: Moment,
  /** Since when it is connected; null: it is not. */
  connected_since: z.nullable(Moment),
  last_confirmed_at: z.nullable(Moment),
  /** Null: nothing is wrong. */
  fault: z.nullable(UpstreamFault),
  /** The code of a refused sign-in. */
  fault_code: z.nullable(z.int()),
  fault_since: z.nullable(Moment),
  /** When it is connected again after a fault; null: nobody waits for that. */
  next_try_at: z.nullable(Moment),
  /**
   * When the oldest waiting record was stored, or put back into the queue if it was kept for a bus that the upstream did not
   * know; null: none waits.
   */
  waiting_since: z.nullable(Moment),
  /** Records that wait, as far as they are counted: of the oldest batches, at most MAX_COUNTED_WAITING. */
  waiting: z.int(),
  /** Whether more records wait than are counted. */
  more_waiting: z.boolean(),
  confirmed: z.int(),
  /** Records that were never sent, because they waited too long. */
  fallen: z.int(),
  fallen_at: z.nullable(Moment),
  /** Records that it refused for good, by its code, with the bus of the last one. */
  refused: z.array(
    z.object({ code: z.int(), records: z.int(), last_at: Moment, bus: z.nullable(Named) }),
  ),
  /**
   * Buses that it does not know yet (result 153), and those with kept records that have no number there any more; the first of
   * them by name: buses in the fleet that are, or were, of one of its customers. The records that are kept, counted as
   * `waiting` is, whether there are more, and since when, also of other buses.
   */
  unregistered: z.object({
    buses: z.int(),
    named: z.array(Named),
    records: z.int(),
    more: z.boolean(),
    since: z.nullable(Moment),
  }),
  /** Buses that it gets, and how many of them have no number there: these are not sent. */
  buses: z.int(),
  unnumbered: z.int(),
});
export type Upstream = z.infer<typeof Upstream>;

export const listUpstreams = endpoint({
  method: 'GET',
  path: '/api/admin/upstreams',
  summary: 'Systems to which positions and people are passed on, with their state',
  access: 'admin',
  query: z.object({ ...pageFields, sortBy: z.optional(z.enum(['name', 'waiting_since'])) }),
  response: pageOf(Upstream),
  errors: ['unauthorized', 'invalid_request', 'no_right'],
});

const params = z.object({ upstreamId: IdText });

export const findUpstream = endpoint({
  method: 'GET',
  path: '/api/admin/upstreams/{upstreamId}',
  summary: 'A system to which positions and people are passed on',
  access: 'admin',
  params,
  response: Upstream,
  errors: ['unauthorized', 'invalid_request', 'no_right', 'not_found'],
});

export const createUpstream = endpoint({
  method: 'POST',
  path: '/api/admin/upstreams',
  summary: 'Adds a system to which records from now on are passed on',
  access: 'admin',
  body: z.object({
    ...settings,
    enabled: z._default(settings.enabled, true),
    sign_in: z._default(settings.sign_in, 'none'),
    sign_in_id: z._default(settings.sign_in_id, null),
    sign_in_text: z._default(settings.sign_in_text, null),
    all_clients: z._default(settings.all_clients, false),
    client_ids: z._default(settings.client_ids, []),
    with_people: z._default(settings.with_people, true),
    late_minutes: z._default(settings.late_minutes, 10),
  }),
  response: Upstream,
  errors: ['unauthorized', 'invalid_request', 'no_right', 'conflict'],
});

export const changeUpstream = endpoint({
  method: 'PUT',
  path: '/api/admin/upstreams/{upstreamId}',
  summary: 'Changes a system to which positions and people are passed on',
  access: 'admin',
  params,
  body: changeOf(settings),
  response: Upstream,
  errors: ['unauthorized', 'invalid_request', 'no_right', 'not_found', 'conflict'],
});

export const tryUpstream = endpoint({
  method: 'POST',
  path: '/api/admin/upstreams/{upstreamId}/try',
  summary:
    'Connects a system that waits after a fault within some seconds; otherwise changes nothing',
  access: 'admin',
  params,
  response: Upstream,
  errors: ['unauthorized', 'invalid_request', 'no_right', 'not_found'],
});

export const deleteUpstream = endpoint({
  method: 'DELETE',
  path: '/api/admin/upstreams/{upstreamId}',
  summary: 'Removes a system and what waits for it',
  access: 'admin',
  params,
  errors: ['unauthorized', 'invalid_request', 'no_right', 'not_found'],
});

/** A bus that an upstream gets. */
export const UpstreamBus = z.object({
  id: Id,
  name: z.string(),
  client: z.nullable(Named),
  /** Its number there; null: it has none. */
  object_id: z.nullable(EgtsNumber),
  /** The number that its unit of EGTS brings; the one above comes first. */
  unit_object_id: z.nullable(EgtsNumber),
});
export type UpstreamBus = z.infer<typeof UpstreamBus>;

/** The bus of a refused number: another one that has it, or the same one with the number that somebody else gave it. */
export const NumberedBus = z.pick(UpstreamBus, { id: true, name: true, object_id: true });

export const listUpstreamBuses = endpoint({
  method: 'GET',
  path: '/api/admin/upstreams/{upstreamId}/buses',
  summary: 'The buses that a system gets, with their numbers there',
  access: 'admin',
  params,
  query: z.object({ ...pageFields, unnumbered: z.optional(YesNo) }),
  response: pageOf(UpstreamBus),
  errors: ['unauthorized', 'invalid_request', 'no_right', 'not_found'],
});

export const numberUpstreamBuses = endpoint({
  method: 'PUT',
  path: '/api/admin/upstreams/{upstreamId}/buses',
  summary: 'Sets the numbers of buses at a system; others keep theirs',
  access: 'admin',
  params,
  body: z.object({
    buses: z
      .array(
        z.object({
          id: Id,
          object_id: z.nullable(EgtsNumber),
          /** The number that the user saw: if somebody else has changed it, none is set. Without it it is set unconditionally. */
          seen: z.optional(z.object({ object_id: z.nullable(EgtsNumber) })),
        }),
      )
      .check(z.minLength(1), z.maxLength(MAX_NUMBERED_BUSES)),
  }),
  response: z.object({ unnumbered: z.int() }),
  // A conflict names the field of the number, `object_id` or `seen.object_id`, and has a `NumberedBus` in `current`.
  errors: ['unauthorized', 'invalid_request', 'no_right', 'not_found', 'conflict'],
});
