// Where the stops of a route lie along a line: in their order, each as near to the line as that order allows
// (dynamic programming over the line's nearest approaches).

import { f64, num } from '@ridewatch/contract/columns';

interface Line {
  readonly x: readonly number[];
  readonly y: readonly number[];
}

export interface StopPlaces {
  /** Metres along the line, one a stop, never falling. */
  readonly at: readonly number[];
  /** Sum of the squares of distances, each counted as at most FAR_M, and what detours cost. */
  readonly cost: number;
  /** The share of stops farther from the line than so many metres. */
  readonly worstShare: (metres: number) => number;
}

interface Approach {
  readonly at: number;
  readonly distance: number;
}

/** A stop is looked for no farther from the line. */
const FAR_M = 300;
/**
 * So many of the times at which a line passes a stop are looked at, the nearest: there and back, twice round, in a street
 * that winds, it passes eight times; a line that was drawn while its bus stood may pass a thousand times.
 */
const MOST_APPROACHES = 24;
/** Pieces of a line that are passed over together where all of them lie far from a stop. */
const BUNCH = 64;
/** Rounding of distances along the line. */
const SLACK_M = 1;
/**
 * From one stop to the next a line is not much longer than the way as the crow flies, or it goes once more round for
 * nothing: what it is longer than this many times that and these metres costs so many square metres a metre.
 */
const USUAL_DETOUR = 2;
const USUAL_DETOUR_M = 300;
const DETOUR_COST = 0.1;

/** Stops beside a line: where it passes each of them. */
export interface StopsOnLine {
  readonly stops: Line;
  readonly approaches: readonly (readonly Approach[])[];
}

/** Where a line passes stops. @param stops at least one */
export function stopsOnLine(line: Line, stops: Line): StopsOnLine {
  const pieces = piecesOf(line);
  const approaches = stops.x.map((x, index) => approachesOf(pieces, x, num(stops.y, index)));
  return { stops, approaches };
}

// Keeps the nearest of what is added, in the order of the line.
class Nearest {
  #found: Approach[] = [];
  /** Nothing farther than this is among the nearest. */
  #leastM = FAR_M;

  add(at: number, distance: number): void {
    if (distance > this.#leastM) return;
    this.#found.push({ at, distance });
    // Many are sorted out at once: one by one would be a sort for each.
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
 * @param ringM all of them lie within so many metres of the first: one that stands in a wrong place of the order must
 *   not send the bus round once more
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
        // Of equal ways the one that has come less far keeps more choice.
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

// A stop that lies nowhere near the line goes between its neighbours.
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

// The pieces of a line with what is asked of them for every stop.
interface Pieces {
  readonly x: Float64Array;
  readonly y: Float64Array;
  /** Metres along the line to each vertex. */
  readonly at: Float64Array;
  /** The box round each bunch of pieces: west, south, east, north. */
  readonly boxes: Float64Array;
}

function piecesOf(line: Line): Pieces {
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
    // The last piece ends where the next bunch begins.
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

// Where the line comes nearest to a place, each time it passes within FAR_M.
function approachesOf({ x, y, at, boxes }: Pieces, px: number, py: number): readonly Approach[] {
  const found = new Nearest();
  // The last three pieces are looked at together: the middle one is an approach when it is the nearest of them.
  let before = Number.POSITIVE_INFINITY;
  let here = Number.POSITIVE_INFINITY;
  let hereAt = 0;
  let isFar = false;
  for (let n = 0; n < x.length; n += 1) {
    if (n % BUNCH === 0) isFar = isFarFrom(boxes, n / BUNCH, px, py);
    // Of far pieces the first shows that the one before it was the nearest.
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
