// Which pieces of a path lie near a point: a grid over the plane.
import type { RoutePath } from './route-path.ts';

const CELL_M = 100;

export interface PathIndex {
  /** Numbers of the path's pieces (vertex n to n + 1) that may lie within the index's reach of a point. */
  readonly near: (x: number, y: number) => readonly number[];
}

const NONE: readonly number[] = [];

/** Indexes a path. @param reachM how far from it points are asked for */
export function indexPath(path: RoutePath, reachM: number): PathIndex {
  const cells = new Map<number, number[]>();
  const cellOf = (metres: number): number => Math.floor(metres / CELL_M);
  const keyOf = (cx: number, cy: number): number => cx * 2_000_003 + cy;
  for (let n = 0; n + 1 < path.x.length; n += 1) {
    const ax = path.x[n] as number;
    const ay = path.y[n] as number;
    const bx = path.x[n + 1] as number;
    const by = path.y[n + 1] as number;
    for (
      let cx = cellOf(Math.min(ax, bx) - reachM);
      cx <= cellOf(Math.max(ax, bx) + reachM);
      cx += 1
    ) {
      for (
        let cy = cellOf(Math.min(ay, by) - reachM);
        cy <= cellOf(Math.max(ay, by) + reachM);
        cy += 1
      ) {
        if (!touches(ax, ay, bx, by, (cx + 0.5) * CELL_M, (cy + 0.5) * CELL_M, reachM)) continue;
        const key = keyOf(cx, cy);
        const cell = cells.get(key);
        if (cell === undefined) cells.set(key, [n]);
        else cell.push(n);
      }
    }
  }
  return { near: (x, y) => cells.get(keyOf(cellOf(x), cellOf(y))) ?? NONE };
}

// Whether a piece comes within reach of any point of a cell, or a little more.
function touches(
  ax: number,
  ay: number,
  bx: number,
  by: number,
  px: number,
  py: number,
  reachM: number,
): boolean {
  const dx = bx - ax;
  const dy = by - ay;
  const square = dx * dx + dy * dy;
  const share =
    square === 0 ? 0 : Math.min(1, Math.max(0, ((px - ax) * dx + (py - ay) * dy) / square));
  return Math.hypot(px - ax - dx * share, py - ay - dy * share) <= reachM + CELL_M * Math.SQRT1_2;
}
