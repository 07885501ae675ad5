/** A moment this close behind the end is the end: the video was watched until there, s. */
const ENDED_S = 0.5;
/** A place this far before the end shows the last frame, and does not end the video, s. */
const LAST_FRAME_S = 0.05;

/** Whether a place is not in a video, but behind its end; s of media time. Of an unknown length nothing is beyond. */
export function isBeyondEnd(mediaS: number, lengthS: number): boolean {
  return Number.isFinite(lengthS) && mediaS > lengthS + ENDED_S;
}

/**
 * The start of a video: the wanted place; its last frame for a place behind its end; its first one if it was watched to
 * its end; s of media time.
 */
export function beginningAt(mediaS: number, lengthS: number): number {
  if (isBeyondEnd(mediaS, lengthS)) return Math.max(0, lengthS - LAST_FRAME_S);
  return mediaS < lengthS ? mediaS : 0;
}
