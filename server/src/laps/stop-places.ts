// Where the stops of a route lie along a line: in their order, each as near to the line as that order allows
// (dynamic programming over the line's nearest approaches).

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
/** Rounding of distances along the line. */
const SLACK_M = 1;
/**
 * From one stop to the next a line is not much longer than the way as the crow flies, or it goes once more round for
 * nothing: what it is longer than this many times that and these metres costs so many square metres a metre.
 */
const USUAL_DETOUR = 2;
const USUAL_DETOUR_M = 300;
const DETOUR_COST = 0.1;

/**
 * Places stops along a line.
 * @param stops at least one
 * @param ringM all of them lie within so many metres of the first: one that stands in a wrong place of the order must
 *   not send the bus round once more
 */
export function placeStops(line: Line, stops: Line, ringM: number | null = null): StopPlaces {
  const pieces = piecesOf(line);
  const approaches = stops.x.map((x, index) => approachesOf(pieces, x, stops.y[index] as number));
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

function placeInOrder(approaches: readonly Approach[][], stops: Line): StopPlaces {
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
        const start = reached[p] as number;
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
  return Math.hypot(
    (x[n] as number) - (x[n - 1] as number),
    (y[n] as number) - (y[n - 1] as number),
  );
}

function traced(
  approaches: readonly Approach[][],
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
}

function piecesOf(line: Line): Pieces {
  const x = Float64Array.from(line.x);
  const y = Float64Array.from(line.y);
  const at = new Float64Array(x.length);
  for (let n = 1; n < x.length; n += 1) {
    const dx = (x[n] as number) - (x[n - 1] as number);
    const dy = (y[n] as number) - (y[n - 1] as number);
    at[n] = (at[n - 1] as number) + Math.sqrt(dx * dx + dy * dy);
  }
  return { x, y, at };
}

// Where the line comes nearest to a place, each time it passes within FAR_M.
function approachesOf({ x, y, at }: Pieces, px: number, py: number): Approach[] {
  const found: Approach[] = [];
  // The last three pieces are looked at together: the middle one is an approach when it is the nearest of them.
  let before = Number.POSITIVE_INFINITY;
  let here = Number.POSITIVE_INFINITY;
  let hereAt = 0;
  for (let n = 0; n < x.length; n += 1) {
    let square = Number.POSITIVE_INFINITY;
    let nextAt = 0;
    if (n + 1 < x.length) {
      const ax = x[n] as number;
      const ay = y[n] as number;
      const dx = (x[n + 1] as number) - ax;
      const dy = (y[n + 1] as number) - ay;
      const length = dx * dx + dy * dy;
      const along = (px - ax) * dx + (py - ay) * dy;
      const share = length === 0 ? 0 : Math.min(1, Math.max(0, along / length));
      const ox = px - ax - dx * share;
      const oy = py - ay - dy * share;
      square = ox * ox + oy * oy;
      nextAt = (at[n] as number) + share * ((at[n + 1] as number) - (at[n] as number));
    }
    if (here <= FAR_M * FAR_M && here <= before && here < square) {
      found.push({ at: hereAt, distance: Math.sqrt(here) });
    }
    before = here;
    here = square;
    hereAt = nextAt;
  }
  return found;
}
