// A feature may have several lines: a map's editor cut the route at junctions, in any order and direction. They are
// joined so that the gaps between them are shortest in total: exactly for few, by a heuristic for many. Over a jump
// nothing is joined; the user decides.
import type { Point } from '@ridewatch/contract/primitives';
import { planeAt } from '../../laps/engine/geometry/plane.ts';

/** Up to so many parts all orders are compared: some 65,000 steps. */
const MOST_EXACT = 8;
/** More parts than this stay in the order of the file: the heuristic takes the square of their number. */
const MOST_ORDERED = 2000;
/** The same where a rough order will do: 3 ms. */
const MOST_ROUGH = 300;
/** Most passes of the improvement; usually two or three find nothing more. */
const MOST_PASSES = 20;
/** A gap of this length or more is a jump, metres. */
export const JUMP_M = 1000;

export interface JoinedParts {
  /** The parts in order, in chains without jumps. */
  readonly chains: readonly (readonly Point[])[];
  /** The longest gap between two parts, metres; 0 for one part. */
  readonly longestGapM: number;
}

/**
 * Joins the parts of a line.
 * @param parts with a point at least
 * @param isOrdered they were recorded in this order and direction
 * @param isRough the first order that the heuristic finds will do, for one of many lines
 */
export function joinParts(
  parts: readonly (readonly Point[])[],
  isOrdered: boolean,
  isRough = false,
): JoinedParts {
  const ends = endsOf(parts);
  const most = isRough ? MOST_ROUGH : MOST_ORDERED;
  const order = isOrdered || parts.length > most ? asGiven(parts.length) : bestOrder(ends, isRough);
  const chains: Point[][] = [];
  let longestGapM = 0;
  for (const [index, step] of order.entries()) {
    const before = order[index - 1];
    const gapM = before === undefined ? 0 : ends.gap(before, step);
    longestGapM = Math.max(longestGapM, gapM);
    const part = parts[step.part] ?? [];
    const points = step.isReversed ? part.toReversed() : part;
    const chain = chains.at(-1);
    if (chain === undefined || gapM >= JUMP_M) chains.push([...points]);
    else for (const point of points) chain.push(point);
  }
  return { chains, longestGapM };
}

/** A part in the joined line. */
interface Step {
  readonly part: number;
  readonly isReversed: boolean;
}

interface Ends {
  readonly count: number;
  /** Metres from the end of one step to the start of the next. */
  readonly gap: (from: Step, to: Step) => number;
}

function endsOf(parts: readonly (readonly Point[])[]): Ends {
  const plane = planeAt(parts[0]?.[0] ?? { latitude: 0, longitude: 0 });
  const at = (point: Point | undefined): readonly [number, number] =>
    point === undefined ? [0, 0] : [plane.xOf(point.longitude), plane.yOf(point.latitude)];
  const starts = parts.map((part) => at(part[0]));
  const lasts = parts.map((part) => at(part.at(-1)));
  return {
    count: parts.length,
    gap: (from, to) => {
      const [x, y] = (from.isReversed ? starts : lasts)[from.part] ?? [0, 0];
      const [toX, toY] = (to.isReversed ? lasts : starts)[to.part] ?? [0, 0];
      return Math.hypot(toX - x, toY - y);
    },
  };
}

const asGiven = (count: number): Step[] =>
  Array.from({ length: count }, (_, part) => ({ part, isReversed: false }));

// Both directions of the whole line are equally long: the first part of the file keeps its own.
function bestOrder(ends: Ends, isRough: boolean): Step[] {
  const isExact = !isRough && ends.count <= MOST_EXACT;
  const found = isExact ? exactOrder(ends) : greedyOrder(ends);
  const order = isExact || isRough ? found : improved(found, ends);
  const isBackwards = order.some(({ part, isReversed }) => part === 0 && isReversed);
  return isBackwards ? reversed(order) : order;
}

const reversed = (order: readonly Step[]): Step[] =>
  order.toReversed().map(({ part, isReversed }) => ({ part, isReversed: !isReversed }));

// Held and Karp, 1962: the shortest way through each set of parts that ends with each step.
function exactOrder({ count, gap }: Ends): Step[] {
  const steps = asGiven(count).flatMap((step) => [step, { ...step, isReversed: true }]);
  const size = steps.length;
  const lengths = new Float64Array(2 ** count * size).fill(Number.POSITIVE_INFINITY);
  const before = new Int32Array(lengths.length).fill(-1);
  for (const [last, { part }] of steps.entries()) lengths[2 ** part * size + last] = 0;
  for (let set = 1; set < 2 ** count; set += 1) {
    for (const [last, from] of steps.entries()) {
      const length = lengths[set * size + last] ?? Number.POSITIVE_INFINITY;
      if (!Number.isFinite(length)) continue;
      for (const [next, to] of steps.entries()) {
        if ((set & (2 ** to.part)) !== 0) continue;
        const at = (set | (2 ** to.part)) * size + next;
        const longer = length + gap(from, to);
        if (longer >= (lengths[at] ?? 0)) continue;
        lengths[at] = longer;
        before[at] = last;
      }
    }
  }
  let set = 2 ** count - 1;
  const ways = lengths.subarray(set * size);
  let last = ways.reduce((best, length, index) => (length < (ways[best] ?? 0) ? index : best), 0);
  const order: Step[] = [];
  while (last >= 0) {
    const step = steps[last];
    if (step === undefined) break;
    order.unshift(step);
    const earlier = before[set * size + last] ?? -1;
    set &= ~(2 ** step.part);
    last = earlier;
  }
  return order;
}

// The line grows from the first part at whichever end has the nearest part.
function greedyOrder({ count, gap }: Ends): Step[] {
  const [first, ...rest] = asGiven(count);
  if (first === undefined) return [];
  const behind: Step[] = [first];
  const ahead: Step[] = [];
  const left = new Set(rest.map(({ part }) => part));
  while (left.size > 0) {
    const [start, end] = [ahead.at(-1) ?? first, behind.at(-1) ?? first];
    let nearest = { gapM: Number.POSITIVE_INFINITY, step: first, isBehind: true };
    for (const part of left) {
      for (const isReversed of [false, true]) {
        const step = { part, isReversed };
        const [afterM, beforeM] = [gap(end, step), gap(step, start)];
        if (afterM < nearest.gapM) nearest = { gapM: afterM, step, isBehind: true };
        if (beforeM < nearest.gapM) nearest = { gapM: beforeM, step, isBehind: false };
      }
    }
    left.delete(nearest.step.part);
    (nearest.isBehind ? behind : ahead).push(nearest.step);
  }
  return [...ahead.toReversed(), ...behind];
}

// 2-opt: a stretch of the line is turned round where that shortens the gaps at its ends.
function improved(order: Step[], { gap }: Ends): Step[] {
  let best = order;
  for (let pass = 0; pass < MOST_PASSES; pass += 1) {
    let isBetter = false;
    for (let from = 0; from < best.length - 1; from += 1) {
      for (let to = from + 1; to < best.length; to += 1) {
        const [before, first] = [best[from - 1], best[from] as Step];
        const [last, after] = [best[to] as Step, best[to + 1]];
        const turned = { start: turnedStep(last), end: turnedStep(first) };
        const nowM = (before ? gap(before, first) : 0) + (after ? gap(last, after) : 0);
        const thenM =
          (before ? gap(before, turned.start) : 0) + (after ? gap(turned.end, after) : 0);
        if (thenM >= nowM - 1e-6) continue;
        best = [
          ...best.slice(0, from),
          ...reversed(best.slice(from, to + 1)),
          ...best.slice(to + 1),
        ];
        isBetter = true;
      }
    }
    if (!isBetter) break;
  }
  return best;
}

const turnedStep = ({ part, isReversed }: Step): Step => ({ part, isReversed: !isReversed });
