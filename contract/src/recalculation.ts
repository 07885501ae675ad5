import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { Id, IdText, Moment } from './primitives.ts';

/** Longest period of one recalculation. */
export const MAX_RECALCULATION_MS = 93 * 24 * 3_600_000;
/** Most recalculations of a customer that still choose their fragments: the next one is refused. */
export const MAX_OPEN_RECALCULATIONS = 10;
/** Most cameras of one recalculation: a bus has fewer. */
const MOST_CAMERAS = 64;

/** The progress of a recount. */
export const Recalculation = z.object({
  id: Id,
  cameraIds: z.array(Id),
  from: Moment,
  to: Moment,
  reload: z.boolean(),
  created_at: Moment,
  state: z.enum(['running', 'done']),
  /** Fragments selected so far, and how many of them have ended, counted or failed. */
  total: z.int(),
  done: z.int(),
  failed: z.int(),
});
export type Recalculation = z.infer<typeof Recalculation>;

export const recalculateFragments = endpoint({
  method: 'POST',
  path: '/api/segments/recalculate/{cameraId}',
  summary: 'Recounts the fragments of cameras that start in a period; manual counts stay',
  access: 'admin',
  params: z.object({ cameraId: IdText }),
  body: z.object({
    /** All of the camera's bus; only the camera of the path when left out. */
    cameraIds: z.optional(z.array(Id).check(z.minLength(1), z.maxLength(MOST_CAMERAS))),
    from: Moment,
    to: Moment,
    /** Fetch the files from the unit again first. */
    reload: z._default(z.boolean(), false),
  }),
  response: Recalculation,
  errors: [
    'unauthorized',
    'invalid_request',
    'no_right',
    'not_found',
    'conflict',
    'too_many_attempts',
  ],
});

export const findRecalculation = endpoint({
  method: 'GET',
  path: '/api/segments/recalculate/{cameraId}',
  summary: "The last recount of a camera's bus, with its progress",
  access: 'admin',
  params: z.object({ cameraId: IdText }),
  response: z.object({ recalculation: z.nullable(Recalculation) }),
  errors: ['unauthorized', 'invalid_request', 'no_right', 'not_found'],
});
