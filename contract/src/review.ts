import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { Fragment } from './fragments.ts';
import { Id, IdText, Moment, Zone } from './primitives.ts';

/** The most people that somebody may type for one side of a fragment. */
export const MAX_MANUAL_COUNT = 9999;

const Typed = z.nullable(z.int().check(z.minimum(0), z.maximum(MAX_MANUAL_COUNT)));
/** Null, or left out, stands for what was counted automatically. */
const TypedCount = z.object({ adult: z.optional(Typed), kids: z.optional(Typed) });

export const setManualCounts = endpoint({
  method: 'POST',
  path: '/api/segments/update-events/{segmentId}',
  summary: 'Sets the counts of a fragment by hand, all four at once, and marks it as reviewed',
  access: 'user',
  params: z.object({ segmentId: IdText }),
  body: z.object({
    entered_manual: TypedCount,
    exited_manual: TypedCount,
    /** What who counts saw there: when another one has counted since, nothing is changed. Unsaid, nobody is asked. */
    seen: z.optional(z.object({ entered_manual: TypedCount, exited_manual: TypedCount })),
  }),
  response: Fragment,
  errors: ['unauthorized', 'invalid_request', 'no_right', 'not_found', 'conflict'],
});

export const markReviewed = endpoint({
  method: 'POST',
  path: '/api/segments/reviewed/{segmentId}',
  summary: 'Marks a fragment as reviewed: its counts are right as they are',
  access: 'user',
  params: z.object({ segmentId: IdText }),
  response: Fragment,
  errors: ['unauthorized', 'invalid_request', 'no_right', 'not_found', 'conflict'],
});

/** A fragment that waits for somebody to look at it. */
export const ReviewItem = z.object({
  segment_id: Id,
  workplace_id: Id,
  bus: z.string(),
  camera_id: Id,
  camera: z.string(),
  start_time: Moment,
  end_time: Moment,
  /** The bus's zone then: its local day is the one to open. */
  timezone: Zone,
  max_objects_count: z.int(),
});
export type ReviewItem = z.infer<typeof ReviewItem>;

export const ReviewQueue = z.object({
  items: z.array(ReviewItem),
  number: z.int(),
  /** How many wait. */
  total: z.int(),
  /** How many of them are later than those that the question is about. */
  newer: z.int(),
  /** How many the asking user has reviewed today (Europe/Moscow). */
  reviewed_today: z.int(),
  /** Who reviewed today among the buses that the asking user sees, the most first. */
  reviewers: z.array(z.object({ login: z.string(), reviewed: z.int() })),
});
export type ReviewQueue = z.infer<typeof ReviewQueue>;

export const listReviewQueue = endpoint({
  method: 'GET',
  path: '/api/segments/review-queue',
  summary:
    'Fragments of all buses that wait for review, the latest first; and how far one is today',
  access: 'user',
  query: z.object({
    /** The fragment after which to go on; from the latest unless said. */
    after: z.optional(IdText),
    /** The fragment to go on with: it comes first if it still waits. */
    from: z.optional(IdText),
    perPage: z.optional(z.string().check(z.regex(/^[1-9]\d{0,2}$/, 'must be 1 to 999'))),
  }),
  response: ReviewQueue,
  errors: ['unauthorized', 'invalid_request', 'no_right', 'not_found'],
});
