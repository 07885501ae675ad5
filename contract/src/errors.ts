import * as z from 'zod/mini';

/** Every error code of the server with its HTTP status. */
export const errorStatuses = {
  invalid_request: 400,
  invalid_grant: 400,
  session_ended: 400,
  mfa_required: 400,
  unsupported_grant_type: 400,
  wrong_password: 400,
  weak_password: 400,
  wrong_code: 400,
  invalid_link: 400,
  openid_failed: 400,
  openid_unknown_user: 400,
  unauthorized: 401,
  invalid_client: 401,
  user_inactive: 401,
  user_blocked: 403,
  no_right: 403,
  second_factor_required: 403,
  read_only_view: 403,
  bad_signature: 403,
  not_found: 404,
  request_timeout: 408,
  conflict: 409,
  offset_mismatch: 409,
  unsupported_version: 412,
  precondition_failed: 412,
  too_large: 413,
  too_many_days: 413,
  too_many_buses: 400,
  time_ahead: 400,
  not_a_video: 415,
  unsupported_media_type: 415,
  range_not_satisfiable: 416,
  expectation_failed: 417,
  too_many_attempts: 429,
  headers_too_large: 431,
  internal: 500,
  unavailable: 503,
  video_off: 503,
  insufficient_storage: 507,
} as const;

export type ErrorCode = keyof typeof errorStatuses;

/** The body of every error answer. */
export const ErrorBody = z.object({
  error: z.string(),
  message: z.string(),
  /** The invalid field of the request, dotted: `records.3.time`. */
  field: z.optional(z.string()),
  /** The stored value or the cause, in calls that say so. */
  current: z.optional(z.unknown()),
  requestId: z.string(),
});
export type ErrorBody = z.infer<typeof ErrorBody>;
