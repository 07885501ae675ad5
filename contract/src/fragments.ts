import * as z from 'zod/mini';
import { Calculation } from './day-calculation.ts';
import { endpoint } from './endpoint.ts';
import { FailReason } from './fail-reasons.ts';
import { FragmentStatus } from './fragment-states.ts';
import { Day, Id, IdText, Moment, Zone } from './primitives.ts';
import { TimeMap } from './time-map.ts';

/** People, children apart; `entered` and `exited` of a day are adults + kids. */
export const Count = z.object({ adult: z.int(), kids: z.int() });
export type Count = z.infer<typeof Count>;

/** A manual count: null where there is none. */
export const ManualCount = z.object({ adult: z.nullable(z.int()), kids: z.nullable(z.int()) });
export type ManualCount = z.infer<typeof ManualCount>;

/** Effective counts: each manual number replaces its automatic one. */
export function effectiveCount(automatic: Count, manual: ManualCount): Count {
  return { adult: manual.adult ?? automatic.adult, kids: manual.kids ?? automatic.kids };
}

/** People who passed the door within a fragment, for the marks on the seek bar. */
export const FragmentEvent = z.object({
  /** From the start of the fragment. */
  offset_ms: z.int(),
  entered: z.int(),
  exited: z.int(),
});
export type FragmentEvent = z.infer<typeof FragmentEvent>;

/** The layout of a thumbnail sheet: row by row, one thumbnail every step of media time. */
export const ThumbnailSheet = z.object({
  step_ms: z.int(),
  count: z.int(),
  columns: z.int(),
  /** Pixels. */
  tile_width: z.int(),
  tile_height: z.int(),
});
export type ThumbnailSheet = z.infer<typeof ThumbnailSheet>;

/** Properties of the playable file. */
export const VideoFile = z.object({
  /** Media time. */
  duration_ms: z.int(),
  width: z.int(),
  height: z.int(),
  /** Of the source: `h264`, `hevc`, … */
  codec: z.string(),
  /** Null where wall time and media time are the same. */
  time_map: z.nullable(TimeMap),
  /** Set if the video ends before its period: how much of it is shown, in wall time, and how long it is. */
  truncated: z.nullable(z.object({ shown_ms: z.int(), of_ms: z.int() })),
  /** Null when there are no thumbnails. */
  preview: z.nullable(z.extend(ThumbnailSheet, { uri: z.string() })),
});

/** A fragment: a video of one camera with its counts. */
export const Fragment = z.object({
  id: Id,
  /** The unit. */
  deviceId: Id,
  cameraId: Id,
  /** Name of the stop at which its people passed, or during which it was recorded; absent where unknown. */
  stop: z.optional(z.string()),
  start_time: Moment,
  end_time: Moment,
  status: FragmentStatus,
  /** Why the last attempt failed; null when none did. */
  fail_reason: z.nullable(FailReason),
  /** The unit's own words about it; null when it said nothing. */
  fail_detail: z.nullable(z.string()),
  /** When the unit is asked again after a failed attempt; null when it was asked by now, or is not asked again. */
  next_try_at: z.nullable(Moment),
  /** 0 to 100 while a file is on its way or is being counted, else null. */
  progress: z.nullable(z.int()),
  /** The upload stopped at `progress`: no bytes arrive. It resumes, or the unit is asked again. */
  stopped: z.boolean(),
  /** Address of the source; null while there is none or the user may not have it. */
  download: z.nullable(z.string()),
  /** Address for downloading the playable file; null while there is none. */
  download_playable: z.nullable(z.string()),
  /**
   * Signed address for playing: an MP4 with byte ranges (`/api/video_feed/…`), or an HLS playlist
   * (`/api/video_feed2/…`) while it is LOADED or PROCESSING on its way to PROCESSED. Null while there is nothing to
   * play.
   */
  playback_uri: z.nullable(z.string()),
  /** Null while there is no playable file. */
  video: z.nullable(VideoFile),
  entered: Count,
  exited: Count,
  entered_manual: ManualCount,
  exited_manual: ManualCount,
  max_objects_count: z.int(),
  /** When and by whom (login) its counts were last reviewed; null when they were not. */
  reviewed_at: z.nullable(Moment),
  reviewed_by: z.nullable(z.string()),
  /** Its video is kept whatever its age. */
  kept: z.boolean(),
  /** When and why its video was deleted: past its retention, or the disk was full; null when it was not. */
  video_deleted_at: z.nullable(Moment),
  video_deleted_for: z.nullable(z.enum(['age', 'space'])),
  info: z.record(z.string(), z.unknown()),
  /** The events behind the fragment's counts, in order of time; absent where unknown. */
  events: z.optional(z.array(FragmentEvent)),
});
export type Fragment = z.infer<typeof Fragment>;

const Totals = z.object({
  /** Automatic, adults + kids. */
  totalEntered: z.int(),
  totalExited: z.int(),
  /** Effective counts. */
  totalEnteredManual: z.int(),
  totalExitedManual: z.int(),
});

/** An hour of the bus's clock; where the clock is changed it is shorter, or there twice. */
export const HourTraffic = z.object({ start_time: Moment, entered: z.int(), exited: z.int() });
export type HourTraffic = z.infer<typeof HourTraffic>;

export const DayFragments = z.extend(Totals, {
  workplace_id: Id,
  date: Day,
  timezone: Zone,
  start: Moment,
  end: Moment,
  /** Effective counts of the day with children apart. */
  entered: Count,
  exited: Count,
  /** Whether a counter of the day tells children apart: of one that does not, no `kids` means that nobody knows. */
  tells_children: z.boolean(),
  /**
   * On board after the last stop of the day, or now: balanced, since the load last restarted. Entered − exited of the
   * day for a bus without laps; null when the bus does not show it.
   */
  inside: z.nullable(z.int()),
  /** Null when the bus does not show its calculator. */
  calculation: z.nullable(Calculation),
  devices: z.array(z.extend(Totals, { deviceId: Id })),
  /** One row per local hour (23 to 25), effective counts, per unit. */
  events: z.array(z.object({ device_id: Id, events: z.array(HourTraffic) })),
  /** Fragments of the recorded cameras that start in the day, by start. */
  segments: z.array(Fragment),
});
export type DayFragments = z.infer<typeof DayFragments>;

/** Whether the children of a day are worth showing: a counter tells them apart, or somebody counted some. */
export function hasKids({ tells_children, entered, exited }: DayFragments): boolean {
  return tells_children || entered.kids > 0 || exited.kids > 0;
}

export const listDayFragments = endpoint({
  method: 'GET',
  path: '/api/segments/day-segments',
  summary: "A bus's local day: totals, hours, fragments",
  access: 'user',
  scope: 'counts',
  query: z.object({ workplaceId: IdText, date: Day }),
  tagged: true,
  response: DayFragments,
  errors: ['unauthorized', 'invalid_request', 'not_found', 'too_large'],
});

export const listPeriods = endpoint({
  method: 'GET',
  path: '/api/period_list/{cameraId}',
  summary: "A camera's fragments that overlap local days, both included; 20,000 at most",
  access: 'user',
  scope: 'counts',
  params: z.object({ cameraId: IdText }),
  query: z.object({ startdate: Day, enddate: Day }),
  response: z.object({ items: z.array(Fragment), number: z.int(), total: z.int() }),
  errors: ['unauthorized', 'invalid_request', 'not_found', 'too_large'],
});

export const findFragment = endpoint({
  method: 'GET',
  path: '/api/segments/{segmentId}',
  summary: 'One fragment with its counts and the addresses of its video',
  access: 'user',
  scope: 'counts',
  params: z.object({ segmentId: IdText }),
  response: Fragment,
  errors: ['unauthorized', 'invalid_request', 'not_found'],
});

/** Asks the unit for the video of one fragment. */
export const fetchFragment = endpoint({
  method: 'PATCH',
  path: '/api/segments/set-downloading/{segmentId}',
  summary: 'Requests the video of a fragment from the registrar; joins a running request',
  access: 'user',
  params: z.object({ segmentId: IdText }),
  response: Fragment,
  errors: ['unauthorized', 'invalid_request', 'not_found', 'conflict'],
});

const Variant = z.object({
  /** 1: the playable file; 0: the source. */
  processed: z._default(z.enum(['0', '1']), '1'),
  hash: z.optional(z.string().check(z.maxLength(255))),
});

/** Of answers with a file: ranges and conditions. */
const sendingErrors = [
  'invalid_request',
  'bad_signature',
  'not_found',
  'range_not_satisfiable',
  'precondition_failed',
] as const;

export const playFragment = endpoint({
  method: 'GET',
  path: '/api/video_feed/{segmentId}',
  summary: 'The video of a fragment as MP4 with byte ranges, by signed address',
  access: 'public',
  scope: 'video',
  params: z.object({ segmentId: IdText }),
  query: Variant,
  produces: ['video/mp4'],
  errors: sendingErrors,
});

const Hash = z.object({ hash: z.optional(z.string().check(z.maxLength(255))) });

export const streamFragment = endpoint({
  method: 'GET',
  path: '/api/video_feed2/{segmentId}',
  summary:
    'The video of a fragment as an HLS playlist, by signed address; the address of each segment is signed',
  access: 'public',
  scope: 'video',
  params: z.object({ segmentId: IdText }),
  query: Hash,
  produces: ['application/vnd.apple.mpegurl'],
  errors: ['invalid_request', 'bad_signature', 'not_found'],
});

export const streamFragmentSegment = endpoint({
  method: 'GET',
  path: '/api/video_feed2/{segmentId}/{part}',
  summary:
    'An HLS segment of a fragment, or the initialization segment (fragmented MP4), by signed address',
  access: 'public',
  scope: 'video',
  params: z.object({
    segmentId: IdText,
    part: z.string().check(z.regex(/^(init\.mp4|\d{1,5}\.m4s)$/, 'must be a line of the playlist')),
  }),
  query: Hash,
  produces: ['video/mp4'],
  errors: ['invalid_request', 'bad_signature', 'not_found'],
});

export const downloadFragment = endpoint({
  method: 'GET',
  path: '/api/download/{segmentId}',
  summary: 'The video of a fragment as a file, by Bearer token or signed address',
  access: 'public',
  scope: 'video',
  params: z.object({ segmentId: IdText }),
  query: Variant,
  produces: [
    'video/mp4',
    'video/quicktime',
    'video/matroska',
    'video/webm',
    'video/mp2t',
    'video/x-msvideo',
    'video/x-flv',
    'video/h264',
    'video/h265',
  ],
  errors: ['unauthorized', ...sendingErrors],
});

export const showThumbnails = endpoint({
  method: 'GET',
  path: '/api/segments/preview/{segmentId}',
  summary: 'The thumbnail sheet of a fragment (JPEG), by signed address',
  access: 'public',
  scope: 'video',
  params: z.object({ segmentId: IdText }),
  query: Hash,
  produces: ['image/jpeg'],
  errors: sendingErrors,
});
