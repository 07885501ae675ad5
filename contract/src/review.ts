import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { Fragment } from './fragments.ts';
import { Id, IdText, Moment, Zone } from './primitives.ts';

/** The largest manual count of one side of a fragment. */
export const MAX_MANUAL_COUNT = 9999;

const Typed = z.nullable(z.int().check(z.minimum(0), z.maximum(MAX_MANUAL_COUNT)));
/** Null or absent: the automatic count. */
const TypedCount = z.object({ adult: z.optional(Typed), kids: z.optional(Typed) });

export const setManualCounts = endpoint({
  method: 'POST',
  path: '/api/segments/update-events/{segmentId}',
  summary:
    'Sets the manual counts of a fragment, all four at once, and marks it as reviewed; without any, takes that back',
  access: 'user',
  params: z.object({ segmentId: IdText }),
  body: z.object({
    entered_manual: TypedCount,
    exited_manual: TypedCount,
    /**
     * The counts that the user saw: if another user has changed them since, nothing is saved. Without them the counts
     * are set unconditionally.
     */
    seen: z.optional(z.object({ entered_manual: TypedCount, exited_manual: TypedCount })),
  }),
  response: Fragment,
  errors: ['unauthorized', 'invalid_request', 'no_right', 'not_found', 'conflict'],
});

export const markReviewed = endpoint({
  method: 'POST',
  path: '/api/segments/reviewed/{segmentId}',
  summary: 'Marks a fragment as reviewed: its counts are correct',
  access: 'user',
  params: z.object({ segmentId: IdText }),
  response: Fragment,
  errors: ['unauthorized', 'invalid_request', 'no_right', 'not_found', 'conflict'],
});

/** A fragment that waits for review. */
export const ReviewItem = z.object({
  segment_id: Id,
  workplace_id: Id,
  bus: z.string(),
  camera_id: Id,
  camera: z.string(),
  start_time: Moment,
  end_time: Moment,
  /** The bus's zone at that time: its local day is the one to open. */
  timezone: Zone,
  max_objects_count: z.int(),
});
export type ReviewItem = z.infer<typeof ReviewItem>;

export const ReviewQueue = z.object({
  items: z.array(ReviewItem),
  number: z.int(),
  /** How many wait. */
  total: z.int(),
  /** How many are later than these. */
  newer: z.int(),
  /** How many the user has reviewed today (Europe/Moscow). */
  reviewed_today: z.int(),
  /** Users who reviewed today in the user's scope, the most first. */
  reviewers: z.array(z.object({ login: z.string(), reviewed: z.int() })),
});
export type ReviewQueue = z.infer<typeof ReviewQueue>;

export const listReviewQueue = endpoint({
  method: 'GET',
  path: '/api/segments/review-queue',
  summary: "Fragments of all buses that wait for review, the latest first, and today's progress",
  access: 'user',
  query: z.object({
    /** Continue after this fragment; from the latest unless given. */
    after: z.optional(IdText),
    /** Begin with this fragment if it still waits. */
    from: z.optional(IdText),
    perPage: z.optional(z.string().check(z.regex(/^[1-9]\d{0,2}$/, 'must be 1 to 999'))),
    /** Only buses of this customer. */
    clientId: z.optional(IdText),
  }),
  response: ReviewQueue,
  errors: ['unauthorized', 'invalid_request', 'no_right', 'not_found'],
});
