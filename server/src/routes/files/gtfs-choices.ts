// The choices in a GTFS feed: one way of a route, any two of them as there and back, or several such patterns.

import { MAX_PATTERNS } from '@ridewatch/contract/route-patterns';
import { distanceM } from '../../laps/engine/geometry/plane.ts';
import type { Pattern } from './gtfs-patterns.ts';
import { message } from './messages.ts';
import { PlacesOfWay } from './places-of-way.ts';
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
 * The patterns of one route, each way in one at least: the commonest there and back first. Ways go together whose ends
 * meet within a kilometre; of several those with the nearest ends and the most stops in common.
 * @param ways of one route, of each direction the commonest first
 */
export function allPairs(ways: readonly Way[]): WayPair[] {
  const there = ways.filter(({ direction }) => direction === 0);
  const back = ways.filter(({ direction }) => direction === 1);
  if (back.length === 0) return pairsByEnds(there);
  const [first] = there;
  const [firstBack] = back;
  if (first === undefined || firstBack === undefined) return ways.map((way): WayPair => [way]);
  const meeting = meetingPairs(there, back);
  const ofFirst = meeting.filter(([one]) => one === first).map(([, other]) => other);
  const byDefault: WayPair = [
    first,
    ofFirst.includes(firstBack) ? firstBack : (ofFirst[0] ?? firstBack),
  ];
  const taken = new Set<Way>(byDefault);
  const backOf = new Map<Way, Way>();
  for (const [one, other] of meeting) {
    if (taken.has(one) || taken.has(other)) continue;
    taken.add(one).add(other);
    backOf.set(one, other);
  }
  // A way that is left over goes with one that another pattern has, too.
  const pairs: WayPair[] = there.slice(1).map((way) => {
    const other = backOf.get(way) ?? meeting.find(([one]) => one === way)?.[1];
    return other === undefined ? [way] : [way, other];
  });
  const paired = new Set([byDefault, ...pairs].flat());
  for (const way of back.filter((one) => !paired.has(one))) {
    const other = meeting.find(([, one]) => one === way)?.[0];
    pairs.push(other === undefined ? [way] : [other, way]);
  }
  return [byDefault, ...pairs];
}

// A kilometre between the ends weighs as much as no stop in common. Of equal pairs the one with the most trips comes
// first.
function meetingPairs(there: readonly Way[], back: readonly Way[]): [there: Way, back: Way][] {
  const places = new Map([...there, ...back].map((way) => [way, new PlacesOfWay(way.places)]));
  const sharedBy = (one: Way, other: Way): number => {
    const [a, b] = [places.get(one), places.get(other)];
    const shared = (a?.sharedWith(other.places) ?? 0) + (b?.sharedWith(one.places) ?? 0);
    return shared / (one.places.length + other.places.length);
  };
  return there
    .flatMap((one) => back.map((other) => ({ one, other, metres: gapM(one, other) })))
    .filter(({ metres }) => metres <= NEAR_M)
    .map(({ one, other, metres }) => ({
      pair: [one, other] as [Way, Way],
      metres: metres + (1 - sharedBy(one, other)) * NEAR_M,
    }))
    .sort((a, b) => a.metres - b.metres)
    .map(({ pair }) => pair);
}

/**
 * Whether the two ways of a pattern lead the same way, not there and back.
 * @param hasDirections the feed says the direction of the route's ways; else it is told by where they begin and end
 */
export function leadSameWay([there, back]: WayPair, hasDirections: boolean): boolean {
  if (back === undefined) return false;
  if (hasDirections) return there.direction === back.direction;
  const [a, b] = [there.places[0], there.places.at(-1)];
  const [c, d] = [back.places[0], back.places.at(-1)];
  if (a === undefined || b === undefined || c === undefined || d === undefined) return false;
  // Both sums are about equal for loops.
  return distanceM(a, c) + distanceM(b, d) < (distanceM(b, c) + distanceM(d, a)) / 2;
}

/** Trips of the rarer way of a pattern. */
export const tripsOf = (pair: WayPair): number => Math.min(...pair.map(({ trips }) => trips));

/** Chooses as many patterns as a route may have: the default, and those that can run most often, in their order. */
export function commonest([first, ...others]: readonly WayPair[]): WayPair[] {
  if (first === undefined) return [];
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

function meets(there: Way, back: Way): boolean {
  const [a, b] = [there.places[0], there.places.at(-1)];
  const [c, d] = [back.places[0], back.places.at(-1)];
  if (a === undefined || b === undefined || c === undefined || d === undefined) return false;
  const isLine = distanceM(a, b) > SAME_TERMINAL_M;
  return isLine && distanceM(b, c) <= SAME_TERMINAL_M && distanceM(d, a) <= SAME_TERMINAL_M;
}
