import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { Id, Moment } from './primitives.ts';

/** Limits of one batch; a larger one is refused with 413. */
export const MAX_BATCH_RECORDS = 10_000;
export const MAX_BATCH_BYTES = 8 * 1024 * 1024;
/** Largest video file of an upload. */
export const MAX_UPLOAD_BYTES = 4 * 1024 * 1024 * 1024;
/** Longest fragment, ms. */
export const MAX_FRAGMENT_MS = 4 * 3_600_000;
/** Records whose corrected time is before this or further ahead of the server's clock are kept aside. */
export const OLDEST_RECORD = '2010-01-01T00:00:00Z';
export const MAX_AHEAD_MS = 24 * 3_600_000;

/** The number of a record in its stream; a record's key is (unit, stream, seq). */
export const Sequence = z.int().check(z.minimum(0), z.maximum(Number.MAX_SAFE_INTEGER));
/** A random id that a unit makes when its counter starts again. The one of zeros is the server's own. */
export const StreamId = z
  .uuid()
  .check(z.refine((id) => !/^[0-]+$/.test(id), 'must be a random UUID, not the one of zeros'));
/** A camera as the unit knows it: `stream_id` of the camera. */
export const CameraKey = z.string().check(z.minLength(1), z.maxLength(64));

export const PositionRecord = z.object({
  type: z.literal('position'),
  seq: Sequence,
  time: Moment,
  /** False without a fix: acknowledged, not stored as a position. */
  fix: z._default(z.boolean(), true),
  /** Degrees; optional or null without a fix. */
  latitude: z.nullish(z.number().check(z.minimum(-90), z.maximum(90))),
  longitude: z.nullish(z.number().check(z.minimum(-180), z.maximum(180))),
  speed_kmh: z.optional(z.number().check(z.minimum(0), z.maximum(400))),
  /** Degrees clockwise from north. */
  course: z.optional(z.number().check(z.minimum(0), z.maximum(360))),
  satellites: z.optional(z.int().check(z.minimum(0), z.maximum(99))),
  hdop: z.optional(z.number().check(z.minimum(0), z.maximum(100))),
});
export type PositionRecord = z.infer<typeof PositionRecord>;

export const PassengerRecord = z.object({
  type: z.literal('passenger'),
  seq: Sequence,
  time: Moment,
  door: z.int().check(z.minimum(1), z.maximum(16)),
  direction: z.enum(['entered', 'exited']),
  passenger: z.enum(['adult', 'child']),
  /** People at once; a counter that sums over a stop sends more than 1. */
  count: z._default(z.int().check(z.minimum(1), z.maximum(255)), 1),
});
export type PassengerRecord = z.infer<typeof PassengerRecord>;

export const CameraStateRecord = z.object({
  type: z.literal('camera_state'),
  seq: Sequence,
  time: Moment,
  camera: CameraKey,
  status: z.enum(['online', 'offline']),
});
export type CameraStateRecord = z.infer<typeof CameraStateRecord>;

export const SegmentRecord = z.object({
  type: z.literal('segment'),
  seq: Sequence,
  /** When the unit wrote the announcement. */
  time: Moment,
  camera: CameraKey,
  start_time: Moment,
  end_time: Moment,
  /** `adding`: being recorded; `queued`: the unit will upload it; `kept`: on the registrar until it is fetched. */
  video: z.enum(['adding', 'queued', 'kept']),
  /** Most people in view at once, as the unit saw it. */
  max_objects_count: z.optional(z.int().check(z.minimum(0), z.maximum(255))),
});
export type SegmentRecord = z.infer<typeof SegmentRecord>;

export const UnitRecord = z.discriminatedUnion('type', [
  PositionRecord,
  PassengerRecord,
  CameraStateRecord,
  SegmentRecord,
]);
export type UnitRecord = z.infer<typeof UnitRecord>;

/**
 * Fields without which a record of each type is stored when their value is invalid. The coordinates of a position without
 * a fix belong to them, too.
 */
export const DISPENSABLE_FIELDS: Readonly<Record<UnitRecord['type'], readonly string[]>> = {
  position: ['fix', 'speed_kmh', 'course', 'satellites', 'hdop'],
  passenger: ['count'],
  camera_state: [],
  segment: ['max_objects_count'],
};

/** The envelope. Each record is validated by itself, so that an invalid one does not cost the others. */
export const Batch = z.object({
  stream: StreamId,
  /** The unit's clock when sending; the server stores the offset to its own. */
  sent_at: Moment,
  /**
   * The time of the oldest record that the unit still has to send after this batch; null: none. Without it the server
   * keeps what the unit said last. An invalid value costs the field and not the batch.
   */
  backlog_from: z.optional(z.union([Moment, z.null(), z.unknown()])),
  /** The version of the unit's program, for those who look after it; the first 64 characters are kept. */
  firmware: z.optional(z.union([z.string(), z.null(), z.unknown()])),
  records: z.array(z.unknown()),
});
export type Batch = z.infer<typeof Batch>;

export const RefusalReason = z.enum([
  'malformed',
  'unknown_type',
  'unknown_camera',
  'aside_full',
  'too_dense',
  'ends_before_start',
  'too_long',
  'other_content',
]);
export type RefusalReason = z.infer<typeof RefusalReason>;

export const Refusal = z.object({
  /** Position in the batch, from 0. */
  index: z.int(),
  /** Null when the record had no readable number. */
  seq: z.nullable(z.int()),
  reason: RefusalReason,
  field: z.optional(z.string()),
  message: z.string(),
});
export type Refusal = z.infer<typeof Refusal>;

/** A field that was left out because its value is invalid. */
export const FieldWarning = z.object({
  /** The type of the records; null: a field of the batch itself. */
  type: z.nullable(z.string()),
  field: z.string(),
  message: z.string(),
  /** How many records of the batch, and the position of the first of them. */
  count: z.int(),
  index: z.nullable(z.int()),
});
export type FieldWarning = z.infer<typeof FieldWarning>;

/**
 * Why times were corrected. `clock`: the clock of the batch is wrong, as `sent_at` says; `week_rollover`: it, or a
 * receiver, is exactly 1,024 weeks behind; `neighbours`: the clock was set between the record and `sent_at`, and the
 * records around it in its stream tell the time.
 */
export const CorrectionReason = z.enum(['clock', 'week_rollover', 'neighbours']);
export type CorrectionReason = z.infer<typeof CorrectionReason>;

/** Records whose times were corrected for one reason. */
export const Correction = z.object({
  reason: CorrectionReason,
  /** The correction of the time of the first of them, ms. */
  added_ms: z.int(),
  /** How many records of the batch, and the position of the first of them. */
  count: z.int(),
  index: z.int(),
});
export type Correction = z.infer<typeof Correction>;

const Ranges = z.array(z.tuple([z.int(), z.int()]));

export const BatchAnswer = z.object({
  server_time: Moment,
  /** Ranges of numbers, both ends included, that are stored durably, ascending: `[[1, 998], [1000, 1000]]`. */
  acknowledged: Ranges,
  refused: z.array(Refusal),
  /** One for each reason; missing when no time was corrected. */
  corrected: z.optional(z.array(Correction)),
  /** Acknowledged numbers whose time is not known: stored, and in no figure until it is. */
  kept_aside: z.optional(Ranges),
  /** One for each field; missing when there is none. */
  warnings: z.optional(z.array(FieldWarning)),
});
export type BatchAnswer = z.infer<typeof BatchAnswer>;

/** The unit's identity: an installer checks a credential with it, and a unit learns its cameras. */
export const unitMe = endpoint({
  method: 'GET',
  path: '/unit/v1/me',
  summary: 'The unit behind the credential, its cameras and the clock of the server',
  access: 'unit',
  response: z.object({
    unit_id: Id,
    device_id: z.string(),
    server_time: Moment,
    cameras: z.array(
      z.object({ stream_id: z.string(), door: z.nullable(z.int()), live: z.boolean() }),
    ),
  }),
  errors: ['unauthorized'],
});

export const sendBatch = endpoint({
  method: 'POST',
  path: '/unit/v1/batches',
  summary: 'Stores positions, passenger events, camera states and announcements of fragments',
  access: 'unit',
  body: Batch,
  apart: ['records', 'firmware'],
  response: BatchAnswer,
  errors: [
    'unauthorized',
    'invalid_request',
    'too_large',
    'too_many_days',
    'unsupported_media_type',
    'too_many_attempts',
  ],
});

/** Base address of resumable uploads, tus 1.0; metadata: stream, seq of the announced fragment, optional sha256. */
export const UPLOADS_PATH = '/unit/v1/uploads';

/** Base address of live streams; a stream's command has its own address. */
export const LIVE_PATH = '/unit/v1/live';
/** The playlist of a live stream (HLS), sent again after each segment. */
export const LIVE_PLAYLIST = 'live.m3u8';
/** The files of a stream: the playlist, the initialization segment and the numbered segments (fragmented MP4). */
export const LIVE_NAME = /^(live\.m3u8|init\.mp4|\d{1,12}\.m4s)$/;
/** Largest segment of a live stream. */
export const MAX_LIVE_SEGMENT_BYTES = 4 * 1024 * 1024;
/** Largest playlist of a live stream. */
export const MAX_LIVE_PLAYLIST_BYTES = 16 * 1024;
