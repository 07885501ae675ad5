import type { AdminOverview } from '@ridewatch/contract/admin-sections';
import { AppError } from './errors.ts';

/** Why a process works without video. */
export interface VideoOff {
  readonly reason: NonNullable<AdminOverview['video_off']>;
  /** Advice for operators. */
  readonly todo: string;
}

/** Retry-After of the refusal, s: an operator has to do something. */
const RETRY_AFTER_S = 600;

/**
 * Refuses video while the process works without it.
 * @param videoOff why; undefined: it works with video
 * @throws AppError video_off
 */
export function checkVideo(videoOff: VideoOff | undefined): void {
  if (videoOff === undefined) return;
  throw new AppError('video_off', 'This server takes no video yet.', {
    retryAfterS: RETRY_AFTER_S,
  });
}
