export const MIN_SPEED = 0.25;
export const MAX_SPEED = 4;
export const SPEED_STEP = 0.25;

/** The playback speeds: 0.25 to 4 in steps of 0.25. */
export const speeds: readonly number[] = Array.from(
  { length: (MAX_SPEED - MIN_SPEED) / SPEED_STEP + 1 },
  (_, index) => MIN_SPEED + index * SPEED_STEP,
);

/** The speed so many steps away, within the limits. */
export function speedBy(speed: number, steps: number): number {
  return Math.min(Math.max(speed + steps * SPEED_STEP, MIN_SPEED), MAX_SPEED);
}
