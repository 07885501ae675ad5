// Matches a track to a path with a hidden Markov model after Newson & Krumm (2009), 'Hidden Markov map matching through
// noise and sparseness', on one path instead of a street network. The states of an observation are the places where the
// path passes near it, and 'off the route'; the Viterbi algorithm finds the cheapest sequence of states. Progress along
// the path costs nothing. So the direction of travel decides between two legs in one street, and a loop that crosses
// itself is followed in its order.
import { f64, i32, u8 } from '@ridewatch/contract/columns';
import {
  type Finder,
  type Heading,
  MAX_STATES,
  placesNear,
  WIDTH,
} from './geometry/places-near.ts';
import { BACK_M, drivenBetween, metresBack, RETURN_M } from './path-distance.ts';
import type { RoutePath } from './route-path.ts';
import type { Track } from './track/track.ts';

/** The bus at the observed points of its track, as columns. */
export interface Match {
  /** Indexes of the observed points in the track, ascending. */
  readonly point: Int32Array;
  /** Metres along the path, summed over laps (lap k starts at k × length); NaN off the route. */
  readonly progress: Float64Array;
  /** The greatest progress so far; minus infinity before the first. */
  readonly reached: Float64Array;
  /** The least progress from here on; infinity after the last. */
  readonly ahead: Float64Array;
  /** The last observation on the path up to this one; -1 for none. */
  readonly on: Int32Array;
  /** Metres from the path; NaN off the route. */
  readonly distance: Float64Array;
  /** 1 if the bus did not reach this point by driving along the path. */
  readonly jumped: Uint8Array;
}

/** Least distance between observed points, metres; unless this much time lies between them, ms. */
const STEP_M = 20;
const STEP_MS = 60_000;
/** The same for a path from stop to stop, whose streets are unknown. */
const STRAIGHT_STEP_M = 200;
/** Standard deviation of the distance from the middle of a street, and from a line from stop to stop, metres. */
const STREET_SIGMA_M = 15;
const STRAIGHT_SIGMA_M = 100;
/** Below this speed a bus has no heading, km/h. */
const STANDING_KMH = 2;
/** Beyond this many standard deviations the bus is off the route. */
const REACH_SIGMAS = 4;
/** Cost of an observation off the route. Costs are negative logarithms of probabilities, up to a constant. */
const OFF_COST = 5;
/** Costs of leaving the path or returning to it farther on, and of a place on it that the bus cannot have reached. */
const LEAVE_COST = 4;
const JUMP_COST = 14;
const MAX_SPEED_M_PER_S = 35;
/** After this time without a fix, s, the driven distance may exceed the direct one by this much per second, m/s. */
const UNSEEN_S = 90;
const UNSEEN_M_PER_S = 5;
/** Cost of driving back to before a terminal for a layover. */
const BACK_COST = 8;
const OFF = MAX_STATES;
/** Flags on the previous state: the bus did not drive from there; it drove back from there for a layover. */
const JUMPED = 16;
const BACK = 32;

/** Creates the finder of places on a path near a point, for all tracks along it. */
export function finderOf(path: RoutePath): Finder {
  const sigma = path.straight ? STRAIGHT_SIGMA_M : STREET_SIGMA_M;
  return placesNear(path, sigma, sigma * REACH_SIGMAS);
}

/** Matches a track to a path of a length above 0. @param find of that path */
export function matchTrack(track: Track, path: RoutePath, find: Finder): Match {
  const point = observationsOf(track, path.straight ? STRAIGHT_STEP_M : STEP_M);
  const count = point.length;
  const at = new Float64Array(count * WIDTH);
  const off = new Float64Array(count * WIDTH);
  const states = new Uint8Array(count);
  const emission = new Float64Array(WIDTH);
  let costs = new Float64Array(WIDTH).fill(Number.POSITIVE_INFINITY);
  let next = new Float64Array(WIDTH);
  const from = new Uint8Array(count * WIDTH);
  // The place and time at which the cheapest sequence that is off the route left it.
  let leftAt = Number.NaN;
  let leftMs = 0;
  const { timeMs, x, y } = track;
  for (let n = 0; n < count; n += 1) {
    const p = i32(point, n);
    const before = i32(point, Math.max(n - 1, 0));
    const after = i32(point, Math.min(n + 1, count - 1));
    const px = f64(x, p);
    const py = f64(y, p);
    const heading = isStanding(track, p)
      ? NO_HEADING
      : headingOf(px - f64(x, before), py - f64(y, before), f64(x, after) - px, f64(y, after) - py);
    const base = n * WIDTH;
    const found = find(px, py, heading, at, off, emission, base);
    states[n] = found;
    emission[OFF] = OFF_COST;
    if (n === 0) {
      for (let s = 0; s < found; s += 1) costs[s] = f64(emission, s);
      costs[OFF] = OFF_COST + LEAVE_COST;
      continue;
    }
    const moved = Math.hypot(px - f64(x, before), py - f64(y, before));
    const seconds = (f64(timeMs, p) - f64(timeMs, before)) / 1000;
    const previous = (n - 1) * WIDTH;
    const previousStates = u8(states, n - 1);
    const farthest = MAX_SPEED_M_PER_S * seconds + 2 * BACK_M;
    const spread = 30 + 0.3 * moved + UNSEEN_M_PER_S * Math.max(0, seconds - UNSEEN_S);
    let cheapest = f64(costs, OFF);
    let cheapestFrom = OFF;
    for (let s = 0; s < previousStates; s += 1) {
      if (f64(costs, s) < cheapest) {
        cheapest = f64(costs, s);
        cheapestFrom = s;
      }
    }
    for (let s = 0; s < found; s += 1) {
      const here = f64(at, base + s);
      const isNext =
        Number.isNaN(leftAt) ||
        !Number.isNaN(metresBack(leftAt, here, path)) ||
        drivenBetween(leftAt, here, path, RETURN_M) <=
          (MAX_SPEED_M_PER_S * (f64(timeMs, p) - leftMs)) / 1000 + 2 * BACK_M;
      let best = f64(costs, OFF) + (isNext ? LEAVE_COST : JUMP_COST);
      let bestFrom = OFF;
      if (cheapest + JUMP_COST < best) {
        best = cheapest + JUMP_COST;
        bestFrom = cheapestFrom + JUMPED;
      }
      for (let q = 0; q < previousStates; q += 1) {
        const was = f64(at, previous + q);
        const driven = drivenBetween(was, here, path);
        if (driven > moved) {
          // Back in the same street: as far before the terminal as beyond it is the same place.
          const apartM = Math.min(
            Math.abs(was + here - 2 * (path.turnAt ?? Number.POSITIVE_INFINITY)),
            Math.abs(was + here - path.lengthM),
          );
          const apart = (apartM - moved) / spread;
          const cost = f64(costs, q) + apart * apart + BACK_COST;
          if (cost < best && !Number.isNaN(metresBack(was, here, path, 0))) {
            best = cost;
            bestFrom = q + BACK;
          }
        }
        if (driven > farthest) continue;
        const differs = (driven - (driven < 0 ? -moved : moved)) / spread;
        const cost = f64(costs, q) + differs * differs + (driven < 0 ? driven / -BACK_M : 0);
        if (cost < best) {
          best = cost;
          bestFrom = q;
        }
      }
      next[s] = best + f64(emission, s);
      from[base + s] = bestFrom;
    }
    const stay = f64(costs, OFF);
    next[OFF] = Math.min(stay, cheapest + LEAVE_COST) + OFF_COST;
    const stays = stay <= cheapest + LEAVE_COST;
    from[base + OFF] = stays ? OFF : cheapestFrom;
    if (!stays) {
      leftAt = f64(at, previous + cheapestFrom);
      leftMs = f64(timeMs, before);
    }
    for (let s = found; s < MAX_STATES; s += 1) next[s] = Number.POSITIVE_INFINITY;
    [costs, next] = [next, costs];
  }
  return traced(point, at, off, from, costs, path);
}

// Traces the cheapest sequence back from its end, then counts laps forward.
function traced(
  point: Int32Array,
  at: Float64Array,
  off: Float64Array,
  from: Uint8Array,
  costs: Float64Array,
  path: RoutePath,
): Match {
  const count = point.length;
  const progress = new Float64Array(count);
  const distance = new Float64Array(count);
  const jumped = new Uint8Array(count);
  const isBack = new Uint8Array(count);
  let state = costs.indexOf(Math.min(...costs));
  for (let n = count - 1; n >= 0; n -= 1) {
    progress[n] = state === OFF ? Number.NaN : f64(at, n * WIDTH + state);
    distance[n] = state === OFF ? Number.NaN : f64(off, n * WIDTH + state);
    const step = u8(from, n * WIDTH + state);
    if (state !== OFF && step >= BACK) isBack[n] = 1;
    else if (state !== OFF && step >= JUMPED) jumped[n] = 1;
    state = step % JUMPED;
  }
  let lap = 0;
  let last = Number.NaN;
  let most = Number.NEGATIVE_INFINITY;
  let wasOn = false;
  for (let n = 0; n < count; n += 1) {
    const here = f64(progress, n);
    if (Number.isNaN(here)) {
      wasOn = false;
      continue;
    }
    if (!Number.isNaN(last)) {
      const backM = wasOn && isBack[n] === 0 ? Number.NaN : metresBack(last, here, path);
      const driven = Number.isNaN(backM)
        ? drivenBetween(last, here, path, wasOn ? BACK_M : RETURN_M)
        : -backM;
      lap =
        driven === Number.POSITIVE_INFINITY
          ? lap + 1
          : Math.round((lap * path.lengthM + last + driven - here) / path.lengthM);
      if (!wasOn) jumped[n] = 1;
    }
    // No bus goes back by more than one lap.
    lap += Math.max(0, Math.ceil((most - here) / path.lengthM - 1 - lap));
    last = here;
    wasOn = true;
    progress[n] = here + lap * path.lengthM;
    most = Math.max(most, f64(progress, n));
  }
  let reachedM = Number.NEGATIVE_INFINITY;
  const reached = progress.map((here) => {
    if (here > reachedM) reachedM = here;
    return reachedM;
  });
  const ahead = new Float64Array(count);
  let least = Number.POSITIVE_INFINITY;
  for (let n = count - 1; n >= 0; n -= 1) {
    const here = f64(progress, n);
    if (here < least) least = here;
    ahead[n] = least;
  }
  const on = new Int32Array(count);
  for (let n = 0; n < count; n += 1) {
    on[n] = Number.isNaN(progress[n]) ? (on[n - 1] ?? -1) : n;
  }
  return { point, progress, reached, ahead, on, distance, jumped };
}

function observationsOf(track: Track, stepM: number): Int32Array {
  const point = new Int32Array(track.length);
  let count = 0;
  for (let n = 0; n < track.length; n += 1) {
    const last = count === 0 ? -1 : i32(point, count - 1);
    const isNew =
      last < 0 ||
      n === track.length - 1 ||
      f64(track.timeMs, n) - f64(track.timeMs, last) >= STEP_MS ||
      (f64(track.x, n) - f64(track.x, last)) ** 2 + (f64(track.y, n) - f64(track.y, last)) ** 2 >=
        stepM * stepM;
    if (isNew) {
      point[count] = n;
      count += 1;
    }
  }
  return point.slice(0, count);
}

const heading: Heading = { x: 0, y: 0 };
const NO_HEADING: Heading = { x: 0, y: 0 };

// While the receiver reports standing, only noise moves, possibly back along the street.
function isStanding({ speedKmh }: Track, point: number): boolean {
  return f64(speedKmh, point) < STANDING_KMH;
}

// The heading at a point as a unit vector; zero while the bus stands.
function headingOf(inX: number, inY: number, outX: number, outY: number): Heading {
  const inLength = Math.hypot(inX, inY);
  const outLength = Math.hypot(outX, outY);
  heading.x =
    (inLength >= STEP_M * 0.9 ? inX / inLength : 0) +
    (outLength >= STEP_M * 0.9 ? outX / outLength : 0);
  heading.y =
    (inLength >= STEP_M * 0.9 ? inY / inLength : 0) +
    (outLength >= STEP_M * 0.9 ? outY / outLength : 0);
  const length = Math.hypot(heading.x, heading.y);
  if (length < 0.5) {
    heading.x = 0;
    heading.y = 0;
  } else {
    heading.x /= length;
    heading.y /= length;
  }
  return heading;
}
