// Finding faults of a unit: its test mode, and its batches as received.
import * as z from 'zod/mini';
import { AdminUnit } from './admin-units.ts';
import { endpoint } from './endpoint.ts';
import { Id, IdText, Moment } from './primitives.ts';

/** Batches of a unit that are kept, the latest. */
export const MOST_FEED_ROWS = 100;
/** Characters of a batch and of its answer that are kept. */
export const MOST_FEED_BODY = 64 * 1024;
export const MOST_FEED_ANSWER = 16 * 1024;
/** How long the server listens to a unit, minutes. */
export const FEED_MINUTES = 15;

const params = z.object({ unitId: IdText });

/**
 * The fate of a message in a protocol other than the unit interface. `nothing`: it can be read and has no record; `kept_aside`:
 * nothing tells when it was; `no_fix`: it has a position without a place, and nothing else; `vendor_form`: it has counts in a
 * form that only their vendor knows, which are left out, and the rest of it is stored; `other_content`: another record is
 * stored at its time; `no_room`: too many records at once; `unread`: it cannot be read; `not_now`: it could not be stored,
 * and its sender must send it again.
 */
export const FeedFate = z.enum([
  ...(['stored', 'nothing', 'kept_aside', 'no_fix', 'vendor_form', 'other_content'] as const),
  ...(['no_room', 'impossible_time', 'unread', 'not_now'] as const),
]);
export type FeedFate = z.infer<typeof FeedFate>;

export const FeedBatch = z.object({
  id: Id,
  received_at: Moment,
  /** HTTP status of the answer to a batch of the unit interface; null: a message in another protocol. */
  status: z.nullable(z.int()),
  /** Of a message in another protocol; null: a batch. */
  fate: z.nullable(FeedFate),
  bytes: z.int(),
  /** The first characters; null for what could not be read. */
  body: z.nullable(z.string()),
  answer: z.nullable(z.string()),
});
export type FeedBatch = z.infer<typeof FeedBatch>;

export const UnitFeed = z.object({
  /** Until when batches are kept; null: nobody listens. */
  listening_until: z.nullable(Moment),
  /** The latest first. */
  items: z.array(FeedBatch),
});
export type UnitFeed = z.infer<typeof UnitFeed>;

export const findUnitFeed = endpoint({
  method: 'GET',
  path: '/api/admin/units/{unitId}/feed',
  summary: 'The last batches or messages of a unit as received, while somebody listened',
  access: 'user',
  params,
  response: UnitFeed,
  errors: ['unauthorized', 'invalid_request', 'no_right', 'not_found'],
});

export const listenToUnit = endpoint({
  method: 'POST',
  path: '/api/admin/units/{unitId}/feed',
  summary: 'Keeps what a unit sends for a quarter of an hour, in place of what was kept',
  access: 'user',
  params,
  response: UnitFeed,
  errors: ['unauthorized', 'invalid_request', 'no_right', 'not_found'],
});

export const setTestMode = endpoint({
  method: 'PUT',
  path: '/api/admin/units/{unitId}/test',
  summary:
    'Begins the test mode of a unit, in which nothing counts that it sends; or ends it, and has all of it counted',
  access: 'user',
  params,
  body: z.object({ test: z.boolean() }),
  response: AdminUnit,
  errors: ['unauthorized', 'invalid_request', 'no_right', 'not_found', 'conflict'],
});
