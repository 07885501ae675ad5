// What can be taken from a GTFS feed: one way of a route, any two of them as there and back, or several such patterns.

import { MAX_PATTERNS } from '@ridewatch/contract/route-patterns';
import { distanceM } from '../../laps/engine/geometry/plane.ts';
import type { Pattern } from './gtfs-patterns.ts';
import { message } from './messages.ts';
import { FileRefusal, type FileStop } from './route-file.ts';

/** Greatest distance between the ends of two ways that are the two directions, metres: in a feed with directions, and else. */
const NEAR_M = 1000;
const SAME_TERMINAL_M = 400;

/** A stop of a feed. */
export interface FeedStop extends FileStop {
  /** Its id in the feed. */
  readonly key: string;
}

/** One way of a route, as most trips of a direction drive it or fewer. */
export interface Way extends Omit<Pattern, 'stops'> {
  readonly id: string;
  readonly places: readonly FeedStop[];
}

/** One way, or one there and one back. */
export type WayPair = readonly [there: Way] | readonly [there: Way, back: Way];

/** A pattern's id: those of its ways. */
export const idOfPair = (pair: WayPair): string => pair.map(({ id }) => id).join('+');
/** The id of a choice: those of its patterns, the default first. */
export const idOfChoice = (pairs: readonly WayPair[]): string => pairs.map(idOfPair).join(',');

/**
 * Finds the patterns of a choice.
 * @param id as `idOfChoice` makes it, of any ways of one route
 * @throws FileRefusal
 */
export function pick(ways: readonly Way[], id: string): WayPair[] {
  const parts = id.split(',');
  const pairs = parts.map((part) => pairOf(ways, part));
  const routes = new Set(pairs.flat().map(({ route }) => route));
  if (routes.size > 1 || parts.length > MAX_PATTERNS || new Set(parts).size < parts.length) {
    throw new FileRefusal(message('noSuchChoice'), 'choice');
  }
  return pairs;
}

function pairOf(ways: readonly Way[], id: string): WayPair {
  const [first, second, ...more] = id.split('+').map((part) => ways.find((way) => way.id === part));
  const isPair = id.includes('+');
  if (first === undefined || (isPair && second === undefined) || more.length > 0) {
    throw new FileRefusal(message('noSuchChoice'), 'choice');
  }
  return second === undefined ? [first] : [first, second];
}

/**
 * The patterns of one route, each way in one at least: the commonest there and back first.
 * @param ways of one route, of each direction the commonest first
 */
export function allPairs(ways: readonly Way[]): WayPair[] {
  const there = ways.filter(({ direction }) => direction === 0);
  const back = ways.filter(({ direction }) => direction === 1);
  if (back.length === 0) return pairsByEnds(there);
  const [first] = there;
  const [firstBack] = back;
  if (first === undefined || firstBack === undefined) return ways.map((way): WayPair => [way]);
  const pairs: WayPair[] = [[first, firstBack]];
  for (const way of there.slice(1)) {
    const other = nearest(back, (one) => gapM(way, one));
    pairs.push(gapM(way, other) <= NEAR_M ? [way, other] : [way]);
  }
  const taken = new Set(pairs.flat());
  for (const way of back.filter((one) => !taken.has(one))) {
    const other = nearest(there, (one) => gapM(one, way));
    pairs.push(gapM(other, way) <= NEAR_M ? [other, way] : [way]);
  }
  return pairs;
}

/** Of patterns as many as a route may have: the default, and those that can run most often, in their order. */
export function commonest([first, ...others]: readonly WayPair[]): WayPair[] {
  if (first === undefined) return [];
  const tripsOf = (pair: WayPair): number => Math.min(...pair.map(({ trips }) => trips));
  const kept = new Set(
    others.toSorted((a, b) => tripsOf(b) - tripsOf(a)).slice(0, MAX_PATTERNS - 1),
  );
  return [first, ...others.filter((pair) => kept.has(pair))];
}

// In a feed without directions two ways whose ends meet are there and back.
function pairsByEnds(ways: readonly Way[]): WayPair[] {
  const left = new Set(ways);
  const pairs: WayPair[] = [];
  for (const there of ways) {
    if (!left.delete(there)) continue;
    const back = [...left].find((way) => meets(there, way));
    if (back !== undefined) left.delete(back);
    pairs.push(back === undefined ? [there] : [there, back]);
  }
  return pairs;
}

// The greater distance between the ends of two ways, where the bus turns, metres.
function gapM(there: Way, back: Way): number {
  const [a, b] = [there.places[0], there.places.at(-1)];
  const [c, d] = [back.places[0], back.places.at(-1)];
  if (a === undefined || b === undefined || c === undefined || d === undefined) {
    return Number.POSITIVE_INFINITY;
  }
  return Math.max(distanceM(b, c), distanceM(d, a));
}

// Of equal ones the first, which has the most trips.
function nearest(ways: readonly Way[], metresOf: (way: Way) => number): Way {
  return ways.reduce((best, way) => (metresOf(way) < metresOf(best) ? way : best));
}

function meets(there: Way, back: Way): boolean {
  const [a, b] = [there.places[0], there.places.at(-1)];
  const [c, d] = [back.places[0], back.places.at(-1)];
  if (a === undefined || b === undefined || c === undefined || d === undefined) return false;
  const isLine = distanceM(a, b) > SAME_TERMINAL_M;
  return isLine && distanceM(b, c) <= SAME_TERMINAL_M && distanceM(d, a) <= SAME_TERMINAL_M;
}
