// How a bus moves: stretches between standstills, each with a trapezoid of speed.

const ACCELERATION = 0.9;
const BRAKING = 1.1;

/** From standing to standing. Times are ms since 1970 UTC, distances m along the loop. */
export interface Stretch {
  readonly startMs: number;
  readonly endMs: number;
  readonly fromM: number;
  readonly toM: number;
  readonly topMps: number;
}

/** A stretch driven at a top speed as far as its length allows, m/s. */
export function driveStretch(startMs: number, fromM: number, toM: number, topMps: number): Stretch {
  const lengthM = toM - fromM;
  // Too short to reach the top: accelerate and brake only.
  const peak = Math.min(
    topMps,
    Math.sqrt((2 * lengthM * ACCELERATION * BRAKING) / (ACCELERATION + BRAKING)),
  );
  const rampM = (peak * peak) / 2 / ACCELERATION + (peak * peak) / 2 / BRAKING;
  const seconds = peak / ACCELERATION + peak / BRAKING + (lengthM - rampM) / Math.max(peak, 0.1);
  return {
    startMs,
    endMs: startMs + Math.max(1000, Math.round(seconds) * 1000),
    fromM,
    toM,
    topMps: peak,
  };
}

/** Distance and speed (m/s) on a stretch at a moment inside it. */
export function moveOn(stretch: Stretch, atMs: number): { distanceM: number; speedMps: number } {
  const { startMs, endMs, fromM, toM, topMps } = stretch;
  const seconds = (atMs - startMs) / 1000;
  const whole = (endMs - startMs) / 1000;
  const up = topMps / ACCELERATION;
  const down = topMps / BRAKING;
  const left = whole - seconds;
  if (seconds <= up) {
    return {
      distanceM: fromM + (ACCELERATION * seconds ** 2) / 2,
      speedMps: ACCELERATION * seconds,
    };
  }
  if (left <= down) {
    return { distanceM: toM - (BRAKING * left ** 2) / 2, speedMps: BRAKING * left };
  }
  // Between the ramps evenly; rounding to whole seconds makes it a little slower than the top.
  const first = fromM + (ACCELERATION * up ** 2) / 2;
  const last = toM - (BRAKING * down ** 2) / 2;
  const share = (seconds - up) / Math.max(0.001, whole - up - down);
  return { distanceM: first + (last - first) * share, speedMps: topMps };
}
