import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { LiveFailReason } from './fail-reasons.ts';
import { Id, IdText, Moment } from './primitives.ts';

/** A stream ends this long after the last request for its playlist, ms. */
export const LIVE_LEASE_MS = 15_000;
/** How long a unit has to send the first segment. */
export const LIVE_START_MS = 40_000;

/** Codings of pictures in a live stream. Not every browser plays H.265. */
export const LiveCodec = z.enum(['h264', 'h265']);

/** The live stream of a camera, as it is now. */
export const LiveStream = z.object({
  camera_id: Id,
  /**
   * `starting`: the unit has the command; `running`; `stalled`: nothing new for a while, the command was repeated;
   * `ended`: no viewer is left; `failed` with the reason.
   */
  state: z.enum(['starting', 'running', 'stalled', 'ended', 'failed']),
  started_at: z.nullable(Moment),
  /** Null unless it failed. */
  reason: z.nullable(LiveFailReason),
  /** The unit's own words about it; null when it said nothing. */
  detail: z.nullable(z.string()),
  /** Missing until the unit has said it; most units do not. */
  codec: z.optional(LiveCodec),
});
export type LiveStream = z.infer<typeof LiveStream>;

export const startLive = endpoint({
  method: 'POST',
  path: '/api/live/{cameraId}',
  summary: 'Starts the live stream of a service camera, or joins the running one',
  access: 'user',
  params: z.object({ cameraId: IdText }),
  /** With the signed address of the playlist (HLS), which answers once the stream runs. */
  response: z.extend(LiveStream, { uri: z.string() }),
  errors: ['unauthorized', 'invalid_request', 'not_found', 'conflict'],
});

export const findLive = endpoint({
  method: 'GET',
  path: '/api/live/{cameraId}',
  summary: 'The state of the live stream of a camera',
  access: 'user',
  params: z.object({ cameraId: IdText }),
  response: LiveStream,
  errors: ['unauthorized', 'invalid_request', 'not_found'],
});

const Hash = z.object({ hash: z.optional(z.string().check(z.maxLength(255))) });

export const streamLive = endpoint({
  method: 'GET',
  path: '/api/video_feed2/live/{cameraId}',
  summary:
    'The live playlist of a camera (HLS), by signed address; each request keeps the stream alive',
  access: 'public',
  params: z.object({ cameraId: IdText }),
  query: Hash,
  produces: ['application/vnd.apple.mpegurl'],
  errors: ['invalid_request', 'bad_signature', 'not_found'],
});

export const streamLiveSegment = endpoint({
  method: 'GET',
  path: '/api/video_feed2/live/{cameraId}/{part}',
  summary:
    'A segment of a live stream, or its initialization segment (fragmented MP4), by signed address',
  access: 'public',
  params: z.object({
    cameraId: IdText,
    part: z
      .string()
      .check(z.regex(/^\d{1,15}-(init\.mp4|\d{1,12}\.m4s)$/, 'must be a line of the playlist')),
  }),
  query: Hash,
  produces: ['video/mp4'],
  errors: ['invalid_request', 'bad_signature', 'not_found'],
});
