// Records of a unit whose time is not known: kept aside, in no figure until they are placed.
import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { Id, IdText, Moment } from './primitives.ts';

/** Groups of an answer, and records of a group that are shown as sent, the first ones. */
export const MOST_ASIDE_GROUPS = 100;
export const MOST_ASIDE_RAW = 20;

/** Records of one stream that arrived in one batch. */
export const AsideGroup = z.object({
  id: Id,
  received_at: Moment,
  /** Records that count for nothing meanwhile. */
  entered: z.int(),
  exited: z.int(),
  positions: z.int(),
  /** Camera states and announcements of fragments. */
  others: z.int(),
  /** The first and the last time as sent. */
  sent_from: Moment,
  sent_to: Moment,
  /** Corrected times of the records before and after them in the stream; null: there is none, or it is not known. */
  before: z.nullable(Moment),
  after: z.nullable(Moment),
  /** The first records as the unit sent them. */
  raw: z.array(z.string()),
});
export type AsideGroup = z.infer<typeof AsideGroup>;

export const UnitAside = z.object({
  /** Records of the unit that are kept aside, also those of groups that are not listed. */
  total: z.int(),
  /** The earliest arrival first. */
  items: z.array(AsideGroup),
});
export type UnitAside = z.infer<typeof UnitAside>;

const params = z.object({ unitId: IdText });
const errors = ['unauthorized', 'invalid_request', 'no_right', 'not_found', 'conflict'] as const;

export const findUnitAside = endpoint({
  method: 'GET',
  path: '/api/admin/units/{unitId}/aside',
  summary: 'The records of a unit that are kept aside because their time is not known',
  access: 'user',
  params,
  response: UnitAside,
  errors: ['unauthorized', 'invalid_request', 'no_right', 'not_found'],
});

export const placeUnitAside = endpoint({
  method: 'POST',
  path: '/api/admin/units/{unitId}/aside/place',
  summary: 'Gives a group of records that are kept aside its time, so that they count',
  access: 'user',
  params,
  body: z.object({
    groupId: Id,
    /** The time of the earliest record of the group; the others keep their distances to it. */
    firstTime: Moment,
  }),
  response: UnitAside,
  errors: [...errors],
});

export const discardUnitAside = endpoint({
  method: 'POST',
  path: '/api/admin/units/{unitId}/aside/discard',
  summary:
    'Deletes a group of records that are kept aside; the audit log says how many people they were',
  access: 'user',
  params,
  body: z.object({ groupId: Id }),
  response: UnitAside,
  errors: [...errors],
});
