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

export const FeedBatch = z.object({
  id: Id,
  received_at: Moment,
  /** HTTP status of the answer. */
  status: z.int(),
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
  summary: 'The last batches of a unit as received, while somebody listened',
  access: 'user',
  params,
  response: UnitFeed,
  errors: ['unauthorized', 'invalid_request', 'no_right', 'not_found'],
});

export const listenToUnit = endpoint({
  method: 'POST',
  path: '/api/admin/units/{unitId}/feed',
  summary: 'Keeps the batches of a unit for a quarter of an hour, in place of those that were kept',
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
