/** Assumed duration of a frame until it is measured, s. */
export const ASSUMED_FRAME_S = 1 / 25;

/**
 * Calculates the duration of a frame from two presented frames.
 * @param earlier,later media time in seconds, and the number of frames presented so far
 * @param knownS the result if the two frames give no duration
 */
export function frameLength(
  earlier: { mediaTime: number; presentedFrames: number },
  later: { mediaTime: number; presentedFrames: number },
  knownS: number,
): number {
  const frames = later.presentedFrames - earlier.presentedFrames;
  const elapsedS = later.mediaTime - earlier.mediaTime;
  if (frames !== 1 || elapsedS <= 0.004 || elapsedS > 0.5) return knownS;
  return elapsedS;
}

/**
 * The position so many frames away, within the video. It is in the middle of the frame, so that rounding never shows
 * the neighbour.
 */
export function stepFrames(
  positionS: number,
  frames: number,
  frameS: number,
  durationS: number,
): number {
  const index = Math.floor(positionS / frameS + 1e-3) + frames;
  return Math.min(Math.max((index + 0.5) * frameS, 0), Math.max(durationS - frameS / 2, 0));
}
