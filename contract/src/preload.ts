import * as z from 'zod/mini';
import { RangeRequest } from './buses.ts';
import { endpoint } from './endpoint.ts';
import { Fragment } from './fragments.ts';
import { Id, IdText, Moment } from './primitives.ts';

/** The longest range of one request (spec section 9). */
export const MAX_PRELOAD_MS = 3_600_000;

/** A range may end so far ahead of the server's clock: one until now by a clock that is a little ahead, ms. */
const AHEAD_MS = 300_000;

/**
 * Tells which end of a range lies ahead: nothing is recorded yet.
 * @param range ms since 1970 UTC
 * @param nowMs the present, ms since 1970 UTC
 * @returns undefined when there may be recordings
 */
export function endAhead(
  { startMs, endMs }: { readonly startMs: number; readonly endMs: number },
  nowMs: number,
): 'startTime' | 'endTime' | undefined {
  if (startMs >= nowMs) return 'startTime';
  return endMs > nowMs + AHEAD_MS ? 'endTime' : undefined;
}

/** A part of a range for which no unit was asked. */
export const UnaskedPart = z.object({
  start_time: Moment,
  end_time: Moment,
  /** The number of the unit that sat in the bus then; null: only administrators see it. */
  device_id: z.nullable(z.string()),
  /** `silent`: that unit sends nothing; `offline`: it does, and the cameras cannot send. */
  reason: z.enum(['silent', 'offline']),
});
export type UnaskedPart = z.infer<typeof UnaskedPart>;

/** Asks a registrar for a range: of all cameras of a unit, or of one. */
export const preloadRange = endpoint({
  method: 'POST',
  path: '/api/segments/set-downloading',
  summary: 'Requests the video of a range from the registrar; joins running requests',
  access: 'user',
  body: z.object({
    /** The unit; either this or a camera. */
    deviceId: z.optional(Id),
    cameraId: z.optional(Id),
    /** In the past. */
    startTime: Moment,
    /** At most five minutes ahead. */
    endTime: Moment,
  }),
  response: z.object({
    /** The fragments that touch the range, with their present states. */
    items: z.array(Fragment),
    number: z.int(),
    total: z.int(),
    /** The requests of the last 24 hours for these cameras, and their progress. */
    requests: z.array(RangeRequest),
    /** The parts of the range for which no unit was asked, in order of time. */
    unasked: z.array(UnaskedPart),
  }),
  errors: ['unauthorized', 'invalid_request', 'time_ahead', 'not_found', 'conflict'],
});

export const cancelPreload = endpoint({
  method: 'POST',
  path: '/api/segments/set-downloading/cancel/{requestId}',
  summary:
    'Cancels a request: the unit gets a stop command, and fragments without video become DOWNLOAD_FAIL with reason cancelled',
  access: 'user',
  params: z.object({ requestId: IdText }),
  response: RangeRequest,
  errors: ['unauthorized', 'invalid_request', 'not_found'],
});
