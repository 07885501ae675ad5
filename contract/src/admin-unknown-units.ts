// Ids that knock in a protocol without secrets, and that no unit has.
import * as z from 'zod/mini';
import { AdminUnit } from './admin-units.ts';
import { endpoint } from './endpoint.ts';
import { pageFields, pageOf } from './paging.ts';
import { Id, IdText, Moment } from './primitives.ts';
import { UnitProtocol } from './unit-protocols.ts';

export const UnknownUnit = z.object({
  id: Id,
  protocol: UnitProtocol,
  protocol_id: z.string(),
  /** The address of its last connection. */
  address: z.string(),
  first_at: Moment,
  last_at: Moment,
  /** How many records it has sent. */
  records: z.int(),
  /** Of its last position; null: it has sent none. */
  sent_time: z.nullable(Moment),
  latitude: z.nullable(z.number()),
  longitude: z.nullable(z.number()),
  /** Of the people whom it counted last; null: it has counted none. */
  counted_time: z.nullable(Moment),
  door: z.nullable(z.int()),
  entered: z.nullable(z.int()),
  exited: z.nullable(z.int()),
  /** Somebody said that it is none of ours: it needs no attention. */
  ignored: z.boolean(),
});
export type UnknownUnit = z.infer<typeof UnknownUnit>;

export const listUnknownUnits = endpoint({
  method: 'GET',
  path: '/api/admin/unknown-units',
  summary: 'Ids that send in another protocol and that no unit has, the latest first',
  access: 'admin',
  query: z.object({
    ...pageFields,
    sortBy: z.optional(z.enum(['protocol_id', 'address', 'first_at', 'last_at', 'records'])),
    state: z.optional(z.enum(['new', 'ignored'])),
  }),
  response: pageOf(UnknownUnit),
  errors: ['unauthorized', 'invalid_request', 'no_right'],
});

const params = z.object({ unknownId: IdText });

export const findUnknownUnit = endpoint({
  method: 'GET',
  path: '/api/admin/unknown-units/{unknownId}',
  summary: 'An id that no unit has',
  access: 'admin',
  params,
  response: UnknownUnit,
  errors: ['unauthorized', 'invalid_request', 'no_right', 'not_found'],
});

/** The unit that has an id by now, in `current` of a refused adoption. */
export const Adopter = z.object({ id: Id, device_id: z.string() });
export type Adopter = z.infer<typeof Adopter>;

export const adoptUnknownUnit = endpoint({
  method: 'POST',
  path: '/api/admin/unknown-units/{unknownId}/adopt',
  summary: 'Makes a spare unit of an id; from then on what it sends is stored',
  access: 'admin',
  params,
  response: AdminUnit,
  errors: ['unauthorized', 'invalid_request', 'no_right', 'not_found', 'conflict'],
});

export const ignoreUnknownUnit = endpoint({
  method: 'PUT',
  path: '/api/admin/unknown-units/{unknownId}',
  summary: 'Says whether an id needs no attention',
  access: 'admin',
  params,
  body: z.object({ ignored: z.boolean() }),
  response: UnknownUnit,
  errors: ['unauthorized', 'invalid_request', 'no_right', 'not_found'],
});
