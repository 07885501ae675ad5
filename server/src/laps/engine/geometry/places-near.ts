// The places of a path that a point may stand for, each with the negative logarithm of its probability.

import { f64 } from '@ridewatch/contract/columns';
import type { RoutePath } from '../route-path.ts';
import { indexPath } from './path-index.ts';

/** Places of one observation that are kept. */
export const MAX_STATES = 8;
/** Those, and 'off the route'. */
export const WIDTH = MAX_STATES + 1;
/** Against the direction of travel, and across it. */
const AGAINST_COST = 6;
const ACROSS_COST = 4;

/** The way the bus goes, as a unit vector; zero while it stands. */
export interface Heading {
  x: number;
  y: number;
}

/**
 * Writes the places where the path passes near a point and what each costs.
 * @param at metres along the path, from index `base` on
 * @param off metres from the path, likewise
 * @param emission costs, from index 0 on
 * @returns how many there are
 */
export type Finder = (
  px: number,
  py: number,
  way: Heading,
  at: Float64Array,
  off: Float64Array,
  emission: Float64Array,
  base: number,
) => number;

/**
 * @param sigma standard deviation of a bus's distance from the path, metres
 * @param reachM places farther away are none
 */
export function placesNear(path: RoutePath, sigma: number, reachM: number): Finder {
  const index = indexPath(path, reachM);
  return (px, py, way, at, off, emission, base) => {
    let found = 0;
    let lastPiece = -2;
    for (const n of index.near(px, py)) {
      const ax = f64(path.x, n);
      const ay = f64(path.y, n);
      const dx = f64(path.x, n + 1) - ax;
      const dy = f64(path.y, n + 1) - ay;
      const square = dx * dx + dy * dy;
      const share =
        square === 0 ? 0 : Math.min(1, Math.max(0, ((px - ax) * dx + (py - ay) * dy) / square));
      const ox = px - ax - dx * share;
      const oy = py - ay - dy * share;
      const metres = Math.sqrt(ox * ox + oy * oy);
      if (metres > reachM) continue;
      const length = Math.sqrt(square);
      const along = length === 0 ? 1 : (way.x * dx + way.y * dy) / length;
      const turned = way.x === 0 && way.y === 0 ? 0 : turnCost(along);
      const cost = (metres * metres) / (2 * sigma * sigma) + turned;
      // Pieces that follow each other are one place, the cheaper of them; at a turn they are soon another one.
      const isSame =
        n === lastPiece + 1 && found > 0 && f64(path.at, n) - f64(at, base + found - 1) <= reachM;
      lastPiece = n;
      let slot = found;
      if (isSame) {
        if (cost >= f64(emission, found - 1)) continue;
        slot = found - 1;
      } else if (found === MAX_STATES) {
        slot = dearest(emission);
        if (cost >= f64(emission, slot)) continue;
      } else {
        found += 1;
      }
      emission[slot] = cost;
      at[base + slot] = f64(path.at, n) + share * length;
      off[base + slot] = metres;
    }
    return found;
  };
}

// @param along cosine of the angle between the bus's way and the path's
function turnCost(along: number): number {
  if (along < -0.3) return AGAINST_COST;
  return along < 0.4 ? ACROSS_COST : 0;
}

function dearest(emission: Float64Array): number {
  let slot = 0;
  for (let s = 1; s < MAX_STATES; s += 1) {
    if (f64(emission, s) > f64(emission, slot)) slot = s;
  }
  return slot;
}
