import type { MapPlace } from './map-parts.ts';

/** A place and a direction, degrees clockwise from north. */
export interface Pose extends MapPlace {
  readonly direction: number;
}

/** A longer distance in one step means missing fixes; the vehicle jumps, m. */
const LONGEST_GLIDE_M = 600;
const METRES_A_DEGREE = 111_320;

/**
 * A pose between two; turns the shorter way.
 * @param share 0: the first, 1: the second
 */
export function poseBetween(from: Pose, to: Pose, share: number): Pose {
  const part = Math.min(Math.max(share, 0), 1);
  const turn = ((to.direction - from.direction + 540) % 360) - 180;
  return {
    latitude: from.latitude + (to.latitude - from.latitude) * part,
    longitude: from.longitude + (to.longitude - from.longitude) * part,
    direction: (from.direction + turn * part + 360) % 360,
  };
}

/** Whether the distance between two places is short enough to glide. */
export function isGlide(from: MapPlace, to: MapPlace): boolean {
  const northM = (to.latitude - from.latitude) * METRES_A_DEGREE;
  const eastM =
    (to.longitude - from.longitude) * METRES_A_DEGREE * Math.cos((to.latitude * Math.PI) / 180);
  return Math.hypot(northM, eastM) <= LONGEST_GLIDE_M;
}
