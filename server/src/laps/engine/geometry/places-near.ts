// Finds the places of a path that may match a point, each with the negative logarithm of its probability.

import { f64 } from '@ridewatch/contract/columns';
import type { RoutePath } from '../route-path.ts';
import { indexPath } from './path-index.ts';

/** Most places of one observation. */
export const MAX_STATES = 8;
/** The same with the state 'off the route'. */
export const WIDTH = MAX_STATES + 1;
/** Costs of a path against the direction of travel, and across it. */
const AGAINST_COST = 6;
const ACROSS_COST = 4;

/** The heading of the bus as a unit vector; zero while it stands. */
export interface Heading {
  x: number;
  y: number;
}

/**
 * Writes the places where the path passes near a point, and their costs.
 * @param at metres along the path, from index `base` on
 * @param off metres from the path, likewise
 * @param emission costs, from index 0 on
 * @returns the number of places
 */
export type Finder = (
  px: number,
  py: number,
  heading: Heading,
  at: Float64Array,
  off: Float64Array,
  emission: Float64Array,
  base: number,
) => number;

/**
 * Creates a finder for a path.
 * @param sigma standard deviation of a bus's distance from the path, metres
 * @param reachM greatest distance of a place, metres
 */
export function placesNear(path: RoutePath, sigma: number, reachM: number): Finder {
  const index = indexPath(path, reachM);
  return (px, py, heading, at, off, emission, base) => {
    let found = 0;
    let lastEdge = -2;
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
      const along = length === 0 ? 1 : (heading.x * dx + heading.y * dy) / length;
      const turned = heading.x === 0 && heading.y === 0 ? 0 : turnCost(along);
      const cost = (metres * metres) / (2 * sigma * sigma) + turned;
      // Successive edges are one place, at the cheaper of them, up to the reach: after a turn they are another place.
      const isSame =
        n === lastEdge + 1 && found > 0 && f64(path.at, n) - f64(at, base + found - 1) <= reachM;
      lastEdge = n;
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

// @param along cosine of the angle between the bus's heading and the path's
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
