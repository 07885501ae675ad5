/** How hard a full bus pulls away and brakes, m/s². */
const ACCELERATION = 0.9;

/** One stretch driven without standing: away from standstill, on at its speed, and to standstill again. */
export interface Motion {
  startMs: number;
  endMs: number;
  fromM: number;
  toM: number;
  /** The speed that it reaches, m/s. */
  topMps: number;
}

/**
 * Drives a stretch.
 * @param cruiseMps the speed that traffic allows; a short stretch does not reach it
 */
export function drive(startMs: number, fromM: number, toM: number, cruiseMps: number): Motion {
  const lengthM = toM - fromM;
  const topMps = Math.min(cruiseMps, Math.sqrt(lengthM * ACCELERATION));
  const seconds = topMps === 0 ? 0 : lengthM / topMps + topMps / ACCELERATION;
  return { startMs, endMs: startMs + Math.round(seconds * 1000), fromM, toM, topMps };
}

/** Where along the line and how fast somebody who drives a stretch is at a moment within it. */
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

/** Finds the stretch that is being driven at a moment, or the last one before it; −1 before the first. */
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
