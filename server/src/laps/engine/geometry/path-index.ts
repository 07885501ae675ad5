// Finds the edges of a path near a point with grids over the plane, each for edges of similar length. An edge lies in
// few cells of its own grid, so a stop on the other side of the earth costs no more than one round the corner.
import { f64, num } from '@ridewatch/contract/columns';
import type { RoutePath } from '../route-path.ts';

/** Cell size of the finest grid, metres: streets bend within it. Each coarser grid has twice the size. */
const CELL_M = 100;
/** Most cells along an edge in its grid; fewer on a path of very many edges, to keep the total below MOST_IN_ALL. */
const MOST_CELLS = 16;
const MOST_IN_ALL = 250_000;
/**
 * Most edges of a cell, evenly chosen from more. A street drawn metre by metre in both directions has fewer; a line
 * that was recorded while the bus stood may have thousands of equal ones.
 */
const MOST_NEAR = 512;

export interface PathIndex {
  /**
   * Numbers of the path's edges (vertex n to n + 1) that may lie within reach of a point, ascending. The next call may
   * reuse the list.
   */
  readonly near: (x: number, y: number) => readonly number[];
}

const NONE: readonly number[] = [];

/** Indexes a path. @param reachM greatest distance of a point from it, metres */
export function indexPath(path: RoutePath, reachM: number): PathIndex {
  const grids = new Map<number, Grid>();
  const most = Math.max(1, Math.min(MOST_CELLS, Math.floor(MOST_IN_ALL / path.x.length)));
  for (let n = 0; n + 1 < path.x.length; n += 1) {
    const ax = f64(path.x, n);
    const ay = f64(path.y, n);
    const bx = f64(path.x, n + 1);
    const by = f64(path.y, n + 1);
    const cellM = cellFor(Math.max(Math.abs(bx - ax), Math.abs(by - ay)), most);
    let grid = grids.get(cellM);
    if (grid === undefined) {
      grid = new Grid(cellM, reachM);
      grids.set(cellM, grid);
    }
    grid.add(n, ax, ay, bx, by);
  }
  const all = [...grids.values()];
  for (const grid of all) grid.thin();
  const [only] = all;
  if (only === undefined) return { near: () => NONE };
  if (all.length === 1) return { near: (x, y) => only.near(x, y) };
  return { near: (x, y) => merged(all, x, y) };
}

function cellFor(metres: number, most: number): number {
  let cellM = CELL_M;
  while (metres > most * cellM) cellM *= 2;
  return cellM;
}

function merged(grids: readonly Grid[], x: number, y: number): readonly number[] {
  let found: readonly number[] = NONE;
  for (const grid of grids) {
    const more = grid.near(x, y);
    if (more.length === 0) continue;
    found = found.length === 0 ? more : [...found, ...more].sort((a, b) => a - b);
  }
  return found;
}

class Grid {
  readonly #cellM: number;
  readonly #reachM: number;
  readonly #cells = new Map<number, number[]>();

  constructor(cellM: number, reachM: number) {
    this.#cellM = cellM;
    this.#reachM = reachM;
  }

  near(x: number, y: number): readonly number[] {
    return this.#cells.get(keyOfCell(this.#cellOf(x), this.#cellOf(y))) ?? NONE;
  }

  add(n: number, ax: number, ay: number, bx: number, by: number): void {
    const cellM = this.#cellM;
    const reachM = this.#reachM;
    const lastX = this.#cellOf(Math.max(ax, bx) + reachM);
    for (let cx = this.#cellOf(Math.min(ax, bx) - reachM); cx <= lastX; cx += 1) {
      // In each column only the rows beside the edge.
      const from = yAt(ax, ay, bx, by, cx * cellM - reachM, true);
      const to = yAt(ax, ay, bx, by, (cx + 1) * cellM + reachM, false);
      const lastY = this.#cellOf(Math.max(from, to) + reachM);
      for (let cy = this.#cellOf(Math.min(from, to) - reachM); cy <= lastY; cy += 1) {
        const far = reachM + cellM * Math.SQRT1_2;
        if (!touches(ax, ay, bx, by, (cx + 0.5) * cellM, (cy + 0.5) * cellM, far)) continue;
        const key = keyOfCell(cx, cy);
        const cell = this.#cells.get(key);
        if (cell === undefined) this.#cells.set(key, [n]);
        else cell.push(n);
      }
    }
  }

  thin(): void {
    for (const [key, cell] of this.#cells) {
      if (cell.length <= MOST_NEAR) continue;
      const step = cell.length / MOST_NEAR;
      const kept = Array.from({ length: MOST_NEAR }, (_, n) => num(cell, Math.floor(n * step)));
      this.#cells.set(key, kept);
    }
  }

  #cellOf(metres: number): number {
    return Math.floor(metres / this.#cellM);
  }
}

const keyOfCell = (cx: number, cy: number): number => cx * 2_000_003 + cy;

// The y of an edge at x; that of its nearer end if the edge does not reach x. An edge due north or south has two
// values: its start if `first`, else its end.
function yAt(ax: number, ay: number, bx: number, by: number, x: number, first: boolean): number {
  if (ax === bx) return first ? ay : by;
  const share = Math.min(1, Math.max(0, (x - ax) / (bx - ax)));
  return ay + share * (by - ay);
}

// Whether an edge comes within `farM` of a place.
function touches(
  ax: number,
  ay: number,
  bx: number,
  by: number,
  px: number,
  py: number,
  farM: number,
): boolean {
  const dx = bx - ax;
  const dy = by - ay;
  const square = dx * dx + dy * dy;
  const share =
    square === 0 ? 0 : Math.min(1, Math.max(0, ((px - ax) * dx + (py - ay) * dy) / square));
  return Math.hypot(px - ax - dx * share, py - ay - dy * share) <= farM;
}
