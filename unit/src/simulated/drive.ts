/** Acceleration and deceleration of a full bus, m/s². */
const ACCELERATION = 0.9;

/** An uninterrupted drive: acceleration, constant speed, deceleration. */
export interface Motion {
  startMs: number;
  endMs: number;
  fromM: number;
  toM: number;
  /** Constant speed, m/s. */
  topMps: number;
}

/**
 * Computes an uninterrupted drive.
 * @param cruiseMps the speed that traffic allows, m/s; a short drive does not reach it
 */
export function drive(startMs: number, fromM: number, toM: number, cruiseMps: number): Motion {
  const lengthM = toM - fromM;
  const topMps = Math.min(cruiseMps, Math.sqrt(lengthM * ACCELERATION));
  const seconds = topMps === 0 ? 0 : lengthM / topMps + topMps / ACCELERATION;
  return { startMs, endMs: startMs + Math.round(seconds * 1000), fromM, toM, topMps };
}

/** Place along the line, metres, and speed, m/s, at a moment of a drive. */
export function progress(motion: Motion, momentMs: number): { atM: number; speedMps: number } {
  const { startMs, endMs, fromM, toM, topMps } = motion;
  const sinceS = (momentMs - startMs) / 1000;
  const leftS = (endMs - momentMs) / 1000;
  const rampS = topMps / ACCELERATION;
  if (sinceS <= 0) return { atM: fromM, speedMps: 0 };
  if (leftS <= 0) return { atM: toM, speedMps: 0 };
  if (sinceS < rampS) {
    const speedMps = sinceS * ACCELERATION;
    return { atM: fromM + (speedMps * sinceS) / 2, speedMps };
  }
  if (leftS < rampS) {
    const speedMps = leftS * ACCELERATION;
    return { atM: toM - (speedMps * leftS) / 2, speedMps };
  }
  return { atM: fromM + topMps * (sinceS - rampS / 2), speedMps: topMps };
}

/** Index of the drive at a moment, or of the last one before it; −1 before the first. */
export function findMotion(motions: readonly Motion[], momentMs: number): number {
  let low = -1;
  let high = motions.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((motions[middle]?.startMs ?? 0) <= momentMs) low = middle;
    else high = middle - 1;
  }
  return low;
}
