import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { Named, pageFields, pageOf } from './paging.ts';
import { Id, IdText, Moment } from './primitives.ts';
import { changeOf } from './row-change.ts';
import { ProtocolId, protocolSettingFields, UnitProtocol } from './unit-protocols.ts';

/** Older credentials stay valid for so long after a rotation, hours: until the unit has the new one. */
export const ROTATION_HOURS = 24;

export const DeviceId = z
  .string()
  .check(z.minLength(1), z.maxLength(64), z.regex(/^\S(.*\S)?$/, 'has spaces around it'));

export const AdminUnit = z.object({
  id: Id,
  device_id: z.string(),
  /** The bus that it sits in. */
  bus: z.nullable(Named),
  /** Since when it has been there; what it recorded before is of other buses. null: always. */
  assigned_from: z.nullable(Moment),
  /** The customer that owns the unit while it is in no bus. */
  client: z.nullable(Named),
  enabled: z.boolean(),
  /** The protocol of a unit that does not speak the unit interface; null: it does. */
  protocol: z.nullable(UnitProtocol),
  /** Its id in that protocol. It is all that a unit shows: anybody who knows it can send for the unit. */
  protocol_id: z.nullable(z.string()),
  /** How it departs from the standard of each protocol. */
  ...protocolSettingFields,
  /** When it last sent anything. */
  last_seen_at: z.nullable(Moment),
  /** As it said in its last batches; null: it never did. */
  firmware: z.nullable(z.string()),
  /** How far the server's clock is ahead of the unit's, ms; null before its first batch. */
  clock_offset_ms: z.nullable(z.int()),
  /** The oldest record that it has still to send; null: none, or it does not say. */
  backlog_from: z.nullable(Moment),
  /** Valid credentials, and when the newest was issued. */
  credentials: z.int(),
  credential_issued_at: z.nullable(Moment),
  /** Since when nothing counts that it sends; null: it counts. */
  test_since: z.nullable(Moment),
  /** How many records of its last test are counted by now, of how many; null: all. */
  releasing: z.nullable(z.object({ released: z.int(), total: z.int() })),
  created_at: Moment,
});
export type AdminUnit = z.infer<typeof AdminUnit>;

/** A credential, shown this once. */
export const IssuedCredential = z.object({ unit: AdminUnit, credential: z.string() });

/** A new unit, and its credential, shown this once; null: a unit of another protocol needs none. */
const MadeUnit = z.object({ unit: AdminUnit, credential: z.nullable(z.string()) });

export const listUnits = endpoint({
  method: 'GET',
  path: '/api/admin/units',
  summary: 'Units, a page at a time',
  access: 'user',
  query: z.object({
    ...pageFields,
    sortBy: z.optional(
      z.enum(['device_id', 'bus', 'last_seen_at', 'firmware', 'clock_offset_ms', 'backlog_from']),
    ),
    clientId: z.optional(IdText),
    /** `weak_identity`: anybody who knows its id in its protocol can send for it. */
    state: z.optional(z.enum(['sending', 'silent', 'spare', 'disabled', 'test', 'weak_identity'])),
  }),
  response: pageOf(AdminUnit),
  errors: ['unauthorized', 'invalid_request', 'no_right', 'not_found'],
});

const params = z.object({ unitId: IdText });

export const findUnit = endpoint({
  method: 'GET',
  path: '/api/admin/units/{unitId}',
  summary: 'A unit',
  access: 'user',
  params,
  response: AdminUnit,
  errors: ['unauthorized', 'invalid_request', 'no_right', 'not_found'],
});

export const createUnit = endpoint({
  method: 'POST',
  path: '/api/admin/units',
  summary:
    'Creates a unit in a bus, or as a spare one of a customer, and answers its credential, which a unit of another protocol does not need; `current` of a refusal names the unit that sits in the bus',
  access: 'user',
  body: z.extend(
    // Only administrators give these. They mean the same as in a change of a unit.
    z.partial(
      z.object({
        protocol: z.nullable(UnitProtocol),
        protocol_id: z.nullable(ProtocolId),
        ...protocolSettingFields,
      }),
    ),
    {
      device_id: DeviceId,
      bus_id: z.optional(z.nullable(Id)),
      client_id: z.optional(z.nullable(Id)),
    },
  ),
  response: MadeUnit,
  errors: ['unauthorized', 'invalid_request', 'no_right', 'not_found', 'conflict'],
});

export const updateUnit = endpoint({
  method: 'PUT',
  path: '/api/admin/units/{unitId}',
  summary:
    'Changes a unit, or moves it to another bus from a moment on; `current` of a refused move has its cause',
  access: 'user',
  params,
  body: z.extend(
    changeOf({
      device_id: DeviceId,
      bus_id: z.nullable(Id),
      client_id: z.nullable(Id),
      enabled: z.boolean(),
      /** Only administrators change this and the other fields of a protocol. Null takes the id away, too. */
      protocol: z.nullable(UnitProtocol),
      /**
       * In the form of the protocol. Of OsmAnd: null, or none together with this protocol for a unit of another one, has
       * the server make an id of 128 random bits.
       */
      protocol_id: z.nullable(ProtocolId),
      ...protocolSettingFields,
    }),
    {
      /**
       * The moment from which the unit is in another bus, or in none: at most 7 days ago. Its records before stay with the
       * old bus, those since then go to the new one. Unless given: the present; for a unit that has been in no bus, its first
       * record, or the moment at which another unit left that bus. With the bus in which the unit is: an earlier moment since
       * which it has been there.
       */
      moved_from: z.optional(Moment),
    },
  ),
  response: AdminUnit,
  errors: ['unauthorized', 'invalid_request', 'no_right', 'not_found', 'conflict'],
});

export const rotateCredential = endpoint({
  method: 'POST',
  path: '/api/admin/units/{unitId}/credential',
  summary: 'Issues another credential of a unit; the others end after a day',
  access: 'user',
  params,
  response: IssuedCredential,
  errors: ['unauthorized', 'invalid_request', 'no_right', 'not_found'],
});

export const revokeCredentials = endpoint({
  method: 'DELETE',
  path: '/api/admin/units/{unitId}/credential',
  summary: 'Ends all credentials of a unit, within 2.5 s',
  access: 'user',
  params,
  response: AdminUnit,
  errors: ['unauthorized', 'invalid_request', 'no_right', 'not_found'],
});
