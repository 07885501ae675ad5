import * as z from 'zod/mini';
import { RangeRequest } from './buses.ts';
import { endpoint } from './endpoint.ts';
import { Id, Moment } from './primitives.ts';
import { Segment } from './segments.ts';

/** The longest stretch that is asked of a registrar at once (spec section 9). */
export const MAX_PRELOAD_MS = 3_600_000;

/** Asks a registrar for a stretch of time: of all cameras of a unit, or of one camera. */
export const preloadRange = endpoint({
  method: 'POST',
  path: '/api/segments/set-downloading',
  summary:
    'Requests the video of a stretch of time from the registrar; joins the requests that run',
  access: 'user',
  body: z.object({
    /** The unit; either this or a camera. */
    deviceId: z.optional(Id),
    cameraId: z.optional(Id),
    startTime: Moment,
    endTime: Moment,
  }),
  response: z.object({
    /** The fragments that touch the stretch, with the states that they are in now. */
    items: z.array(Segment),
    number: z.int(),
    total: z.int(),
    /** What was asked of the registrar beyond the fragments that it has announced. */
    requests: z.array(RangeRequest),
  }),
  errors: ['unauthorized', 'invalid_request', 'not_found', 'conflict'],
});
