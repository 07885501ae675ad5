import * as z from 'zod/mini';

/**
 * Why a fragment or a request to a unit failed, or failed so far. Screens say it in the user's language;
 * what the unit itself said is beside it.
 */
export const FailReason = z.enum([
  /** A user cancelled the request. */
  'cancelled',
  /** The SHA-256 of the file is not the announced one. */
  'damaged',
  /** No frames that could be read. */
  'not_a_video',
  'not_playable',
  'not_decodable',
  /** The server failed while it checked the file. */
  'not_checked',
  /** The new file shows less of the period than the stored one, which stays. */
  'shorter_than_stored',
  /** The unit sent more than the asked part of a file, so nothing tells what is of the part. */
  'longer_than_asked',
  /** Bytes stopped arriving before the announced length. */
  'upload_stopped',
  /** The unit ended the upload. */
  'upload_abandoned',
  /** The unit sent more bytes than it had announced. */
  'upload_too_long',
  /** The unit queued the video and did not begin to send it. */
  'not_sent',
  /** The unit said `done` without an upload. */
  'nothing_sent',
  /** The unit said that it cannot send the video or obey the command. */
  'unit_failed',
  /** The same, and that asking again cannot help. */
  'unit_gave_up',
  /** The unit did not answer in time. */
  'no_answer',
  /** The unit did not announce what became of a recording. */
  'not_announced',
  /** The command was lost. */
  'request_lost',
  'not_counted',
  'counting_stuck',
  'merge_cancelled',
  'merge_failed',
  'merge_stuck',
  /** The stream of the camera does not say which of the registrar's channels it is. */
  'no_channel',
  /** The registrar lists no recording of the range. */
  'no_recording',
  /** The server has no port by which such a registrar uploads, or no ffmpeg. */
  'uploads_not_set_up',
]);
export type FailReason = z.infer<typeof FailReason>;

/** Why a live stream failed. */
export const LiveFailReason = z.enum([
  ...FailReason.options,
  /** The server has no port for live video of such a registrar, or no ffmpeg. */
  'live_not_set_up',
]);
export type LiveFailReason = z.infer<typeof LiveFailReason>;
