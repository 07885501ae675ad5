// Places the stops of a route along a line: in their order, each as near to the line as the order allows (dynamic
// programming over the line's nearest approaches).

import { f64, num } from '@ridewatch/contract/columns';

interface Line {
  readonly x: readonly number[];
  readonly y: readonly number[];
}

export interface StopPlaces {
  /** Metres along the line for each stop, never decreasing. */
  readonly at: readonly number[];
  /** Sum of squared distances, each at most FAR_M, and of the costs of detours. */
  readonly cost: number;
  /** The share of stops farther than this from the line. */
  readonly worstShare: (metres: number) => number;
}

interface Approach {
  readonly at: number;
  readonly distance: number;
}

/** Greatest distance of an approach, metres. */
const FAR_M = 300;
/**
 * Most approaches to a stop, the nearest ones. In both directions, on two rounds, in a winding street, a line passes
 * eight times; a line that was recorded while the bus stood may pass a thousand times.
 */
const MOST_APPROACHES = 24;
/** Edges of a line that are skipped together if all lie far from a stop. */
const BUNCH = 64;
/** Tolerance for the rounding of distances along the line, metres. */
const SLACK_M = 1;
/**
 * From one stop to the next a line is not much longer than the straight distance, else it goes one round too many. Each
 * metre beyond USUAL_DETOUR times that distance plus USUAL_DETOUR_M costs DETOUR_COST square metres.
 */
const USUAL_DETOUR = 2;
const USUAL_DETOUR_M = 300;
const DETOUR_COST = 0.1;

/** Stops and the approaches of a line to each of them. */
export interface StopsOnLine {
  readonly stops: Line;
  readonly approaches: readonly (readonly Approach[])[];
}

/** Finds the approaches of a line to stops. @param stops at least one */
export function stopsOnLine(line: Line, stops: Line): StopsOnLine {
  const edges = edgesOf(line);
  const approaches = stops.x.map((x, index) => approachesOf(edges, x, num(stops.y, index)));
  return { stops, approaches };
}

// Keeps the nearest of the added approaches, in the order of the line.
class Nearest {
  #found: Approach[] = [];
  /** Anything farther than this is not among the nearest, metres. */
  #leastM = FAR_M;

  add(at: number, distance: number): void {
    if (distance > this.#leastM) return;
    this.#found.push({ at, distance });
    // Thinning in batches saves a sort for each approach.
    if (this.#found.length >= 8 * MOST_APPROACHES) this.#thin();
  }

  list(): readonly Approach[] {
    if (this.#found.length > MOST_APPROACHES) this.#thin();
    return this.#found;
  }

  #thin(): void {
    const nearest = this.#found.sort((a, b) => a.distance - b.distance || a.at - b.at);
    this.#found = nearest.slice(0, MOST_APPROACHES);
    this.#leastM = this.#found.at(-1)?.distance ?? FAR_M;
    this.#found.sort((a, b) => a.at - b.at);
  }
}

/**
 * Places stops along a line.
 * @param ringM length of a round, metres: all stops lie within it from the first, so that a stop out of order does not
 *   add a round; null for a line that is no ring
 */
export function placeStops({ stops, approaches }: StopsOnLine, ringM: number | null): StopPlaces {
  const begin = approaches[0]?.filter(({ at }) => at < (ringM ?? 0)) ?? [];
  if (ringM === null || begin.length === 0) return placeInOrder(approaches, stops);
  const within = (start: Approach) =>
    approaches.map((options, n) =>
      n === 0
        ? [start]
        : options.filter(({ at }) => at >= start.at - SLACK_M && at <= start.at + ringM + SLACK_M),
    );
  return begin
    .map((start) => placeInOrder(within(start), stops))
    .reduce((best, one) => (one.cost < best.cost ? one : best));
}

function placeInOrder(approaches: readonly (readonly Approach[])[], stops: Line): StopPlaces {
  let costs = [0];
  let reached = [0];
  const steps: Int32Array[] = [];
  for (const [n, options] of approaches.entries()) {
    const usualM = USUAL_DETOUR_M + USUAL_DETOUR * gapBefore(stops, n);
    const nextCosts: number[] = [];
    const nextReached: number[] = [];
    const from = new Int32Array(options.length + 1).fill(-1);
    for (const [o, option] of [...options, null].entries()) {
      let best = Number.POSITIVE_INFINITY;
      for (const [p, before] of costs.entries()) {
        const start = num(reached, p);
        if (option !== null && start > option.at + SLACK_M) continue;
        const onM = option === null || n === 0 ? 0 : option.at - start;
        const cost =
          before +
          (option === null ? FAR_M ** 2 : option.distance ** 2) +
          DETOUR_COST * Math.max(0, onM - usualM);
        // The one that got less far leaves more choice at equal costs.
        if (cost < best - 1e-6) {
          best = cost;
          from[o] = p;
          nextReached[o] = option === null ? start : Math.max(start, option.at);
        }
      }
      nextCosts[o] = best;
      nextReached[o] ??= Number.POSITIVE_INFINITY;
    }
    costs = nextCosts;
    reached = nextReached;
    steps.push(from);
  }
  return traced(approaches, steps, costs);
}

function gapBefore({ x, y }: Line, n: number): number {
  if (n === 0) return 0;
  return Math.hypot(num(x, n) - num(x, n - 1), num(y, n) - num(y, n - 1));
}

function traced(
  approaches: readonly (readonly Approach[])[],
  steps: readonly Int32Array[],
  costs: readonly number[],
): StopPlaces {
  const cost = Math.min(...costs);
  let choice = costs.indexOf(cost);
  const chosen: (Approach | null)[] = [];
  for (let n = approaches.length - 1; n >= 0; n -= 1) {
    chosen[n] = approaches[n]?.[choice] ?? null;
    choice = steps[n]?.[choice] ?? 0;
  }
  return {
    at: filled(chosen),
    cost,
    worstShare: (metres) =>
      chosen.filter((one) => one === null || one.distance > metres).length / chosen.length,
  };
}

// A stop far from the line goes between its neighbours.
function filled(chosen: readonly (Approach | null)[]): number[] {
  const at: number[] = [];
  for (const [n, one] of chosen.entries()) {
    if (one !== null) {
      at.push(Math.max(one.at, at.at(-1) ?? 0));
      continue;
    }
    const before = at.at(-1) ?? 0;
    const ahead = chosen.findIndex((other, index) => index > n && other !== null);
    const after = chosen[ahead]?.at ?? before;
    at.push(before + Math.max(0, after - before) / (ahead < 0 ? 1 : ahead - n + 1));
  }
  return at;
}

// The edges of a line, from vertex n to n + 1, with values that every stop needs.
interface Edges {
  readonly x: Float64Array;
  readonly y: Float64Array;
  /** Metres along the line to each vertex. */
  readonly at: Float64Array;
  /** The bounding box of each bunch of edges: west, south, east, north. */
  readonly boxes: Float64Array;
}

function edgesOf(line: Line): Edges {
  const x = Float64Array.from(line.x);
  const y = Float64Array.from(line.y);
  const at = new Float64Array(x.length);
  for (let n = 1; n < x.length; n += 1) {
    const dx = f64(x, n) - f64(x, n - 1);
    const dy = f64(y, n) - f64(y, n - 1);
    at[n] = f64(at, n - 1) + Math.sqrt(dx * dx + dy * dy);
  }
  return { x, y, at, boxes: boxesOf(x, y) };
}

function boxesOf(x: Float64Array, y: Float64Array): Float64Array {
  const count = Math.ceil(x.length / BUNCH);
  const boxes = new Float64Array(count * 4);
  for (let bunch = 0; bunch < count; bunch += 1) {
    // The last edge ends where the next bunch begins.
    const end = Math.min(x.length, (bunch + 1) * BUNCH + 1);
    const [xs, ys] = [x.subarray(bunch * BUNCH, end), y.subarray(bunch * BUNCH, end)];
    boxes.set([Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)], bunch * 4);
  }
  return boxes;
}

function isFarFrom(boxes: Float64Array, bunch: number, px: number, py: number): boolean {
  const [west = 0, south = 0, east = 0, north = 0] = boxes.subarray(bunch * 4, bunch * 4 + 4);
  const dx = Math.max(west - px, px - east, 0);
  const dy = Math.max(south - py, py - north, 0);
  return dx * dx + dy * dy > FAR_M * FAR_M;
}

// The nearest point of each pass of the line within FAR_M of a place.
function approachesOf({ x, y, at, boxes }: Edges, px: number, py: number): readonly Approach[] {
  const found = new Nearest();
  // The middle one of three successive edges is an approach if it is the nearest of them.
  let before = Number.POSITIVE_INFINITY;
  let here = Number.POSITIVE_INFINITY;
  let hereAt = 0;
  let isFar = false;
  for (let n = 0; n < x.length; n += 1) {
    if (n % BUNCH === 0) isFar = isFarFrom(boxes, n / BUNCH, px, py);
    // The first edge of a far bunch is needed to end the approach before it.
    if (isFar && here === Number.POSITIVE_INFINITY) {
      n += BUNCH - 1 - (n % BUNCH);
      continue;
    }
    let square = Number.POSITIVE_INFINITY;
    let nextAt = 0;
    if (!isFar && n + 1 < x.length) {
      const ax = f64(x, n);
      const ay = f64(y, n);
      const dx = f64(x, n + 1) - ax;
      const dy = f64(y, n + 1) - ay;
      const length = dx * dx + dy * dy;
      const along = (px - ax) * dx + (py - ay) * dy;
      const share = length === 0 ? 0 : Math.min(1, Math.max(0, along / length));
      const ox = px - ax - dx * share;
      const oy = py - ay - dy * share;
      square = ox * ox + oy * oy;
      nextAt = f64(at, n) + share * (f64(at, n + 1) - f64(at, n));
    }
    if (here <= FAR_M * FAR_M && here <= before && here < square) {
      found.add(hereAt, Math.sqrt(here));
    }
    before = here;
    here = square;
    hereAt = nextAt;
  }
  return found.list();
}
