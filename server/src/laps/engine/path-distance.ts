// How far a bus drives along its path from one place to another, forward, or back where buses do.
import type { RoutePath } from './route-path.ts';

/** Most apparent backward movement, metres; and most after leaving the path and returning to it. */
export const BACK_M = 60;
export const RETURN_M = 400;
/** Within this distance of a terminal, before and after it, a bus may drive back for a layover, metres. */
const LAYOVER_M = 1000;

/**
 * Metres driven forward from one place of the path to another; negative for a small backward movement.
 * @returns infinity if an open path would have to be driven backwards
 */
export function drivenBetween(from: number, to: number, path: RoutePath, backM = BACK_M): number {
  const direct = to - from;
  if (!path.closed) return direct >= -backM ? direct : Number.POSITIVE_INFINITY;
  const ahead = direct < 0 ? direct + path.lengthM : direct;
  return path.lengthM - ahead <= backM ? ahead - path.lengthM : ahead;
}

/**
 * Metres driven back near a terminal, to a place before it.
 * @param from a place beyond the terminal, or at most `beforeM` before it
 * @returns NaN unless both places are near the same terminal and the bus drove back
 */
export function metresBack(
  from: number,
  to: number,
  { closed, lengthM, turnAt }: RoutePath,
  beforeM = RETURN_M,
): number {
  // On a short route other places than its terminals must remain.
  const nearM = Math.min(LAYOVER_M, lengthM / 6);
  const atTurn = turnAt === null ? Number.NaN : over(from - turnAt, turnAt - to, beforeM, nearM);
  if (!closed || !Number.isNaN(atTurn)) return atTurn;
  return over(from > lengthM / 2 ? from - lengthM : from, lengthM - to, beforeM, nearM);
}

function over(beyond: number, before: number, beforeM: number, nearM: number): number {
  const isNear = beyond >= -beforeM && beyond <= nearM && before >= 0 && before <= nearM;
  return isNear && beyond + before > 0 ? beyond + before : Number.NaN;
}
