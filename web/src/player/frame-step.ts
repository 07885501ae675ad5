/** Assumed until a playing video has shown how long its frames last. */
export const ASSUMED_FRAME_S = 1 / 25;

/**
 * The length of one frame, learnt from two presented frames.
 * @param earlier,later media time in seconds and the count of frames presented so far
 * @param knownS what was believed before; kept when the two say nothing
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

/** The position after so many frames, inside the video; half a frame in, so that rounding never shows the neighbour. */
export function stepFrames(
  positionS: number,
  frames: number,
  frameS: number,
  durationS: number,
): number {
  const index = Math.floor(positionS / frameS + 1e-3) + frames;
  return Math.min(Math.max((index + 0.5) * frameS, 0), Math.max(durationS - frameS / 2, 0));
}
