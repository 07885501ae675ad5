// The lines of a file among which the user chooses: a feature is one choice. If it is joined over a jump, the choice says
// so, and once it is chosen its trails can be chosen apart; so a file has hardly more choices than features.

import type { Point } from '@ridewatch/contract/primitives';
import type { RouteProposal } from '@ridewatch/contract/route-proposal';
import { distanceM } from '../../laps/engine/geometry/plane.ts';
import { JUMP_M, joinParts } from './join-parts.ts';
import { type Message, message } from './messages.ts';
import { type FileLine, FileRefusal } from './route-file.ts';
import { shortened } from './short-text.ts';

/** Greatest distance from the end of a line to the start of one that continues it, metres. */
const JOINS_M = 200;
/**
 * Most features to choose from; the user searches them by name. A file of 20,000 lines with 50 points each, 21 MB, is
 * read in 2 s, and its answer has 2 MB.
 */
export const MAX_CHOICES = 50_000;
/** If there are more or longer lines, only the chosen one is joined in the best order. */
const MOST_JOINED = { lines: 100, parts: 300 };
/** Most trails of one feature to choose from, the longest ones. */
const MAX_TRAILS = 20;

/** Most jumps of a line that are marked, the longest ones. */
const MAX_JUMPS = 50;

/** A line that can be chosen. */
export interface Candidate {
  readonly id: string;
  readonly name: string | null;
  readonly points: readonly Point[];
  /** From how many parts it was joined. */
  readonly parts: number;
  /** The longest gap over which it is joined, if that is a jump, metres. */
  readonly jumpM?: number;
  readonly jumps?: RouteProposal['jumps'];
}

/** The lines to choose from. */
export interface Candidates {
  readonly lines: readonly Candidate[];
  /** Notes for the user about lines that the file has and the list leaves out. */
  readonly notes: readonly Message[];
}

/**
 * Lists the lines of a file, one for each feature. The trails of a feature, between its jumps, come before it if it is
 * the only one, or chosen.
 * @param wanted id of a choice: the index of a feature, or with a dot and a number one of its trails
 * @throws FileRefusal for more features than the user may choose from
 */
export function candidatesOf(lines: readonly FileLine[], wanted: string | null): Candidates {
  if (lines.length > MAX_CHOICES) {
    throw new FileRefusal(message('manyLines', lines.length, MAX_CHOICES));
  }
  const opened = lines.length === 1 ? '0' : (wanted?.split('.')[0] ?? null);
  const notes: Message[] = [];
  const candidates = lines.flatMap(({ name, parts, isOrdered }, index): Candidate[] => {
    const drawn = parts.filter((part) => part.length > 0);
    const id = String(index);
    const isMany = lines.length > MOST_JOINED.lines || drawn.length > MOST_JOINED.parts;
    const { chains, longestGapM } = joinParts(drawn, isOrdered, isMany && id !== opened);
    const whole = { id, name, points: chains.flat(), parts: drawn.length };
    if (longestGapM < JUMP_M) return [whole];
    const jumping = { ...whole, jumpM: longestGapM };
    if (id !== opened) return [jumping];
    const marked = { ...jumping, jumps: jumpsBetween(chains) };
    const trails = trailsOf(jumping, chains);
    const left = chains.length - trails.length;
    if (left > 0) notes.push(message('shortTrails', left));
    return [...trails, marked];
  });
  return { lines: candidates, notes };
}

// The longest trails of a feature, in its order.
function trailsOf({ id, name }: Candidate, chains: readonly (readonly Point[])[]): Candidate[] {
  const trails = chains.flatMap((points, n) => (points.length < 2 ? [] : [{ points, n }]));
  const lengths = new Map(trails.map((trail) => [trail, lengthOf(trail.points)]));
  const longest = new Set(
    trails.toSorted((a, b) => (lengths.get(b) ?? 0) - (lengths.get(a) ?? 0)).slice(0, MAX_TRAILS),
  );
  return trails
    .filter((trail) => longest.has(trail))
    .map(({ points, n }) => ({
      id: `${id}.${n}`,
      name: `${name ?? Number(id) + 1} · ${n + 1}/${chains.length}`,
      points,
      parts: 1,
    }));
}

function jumpsBetween(chains: readonly (readonly Point[])[]): RouteProposal['jumps'] {
  return chains
    .slice(1)
    .flatMap((chain, n) => {
      const [from, to] = [chains[n]?.at(-1), chain[0]];
      return from && to ? [{ from, to, metres: Math.round(distanceM(from, to)) }] : [];
    })
    .sort((a, b) => b.metres - a.metres)
    .slice(0, MAX_JUMPS);
}

function lengthOf(points: readonly Point[]): number {
  return points.reduce((sum, point, n) => sum + distanceM(points[n - 1] ?? point, point), 0);
}

/** The lines as choices. */
export function choicesOf(candidates: readonly Candidate[]): RouteProposal['choices'] {
  return candidates.map(({ id, name, points, jumpM }) => ({
    id,
    name: shortened(name) ?? String(Number(id) + 1),
    stops: 0,
    points: points.length,
    ...(jumpM !== undefined && { jump_m: Math.round(jumpM) }),
  }));
}

/**
 * Finds the chosen line.
 * @param wanted its id; null for none
 * @throws FileRefusal when there is no such line
 */
export function chosenLine(
  candidates: readonly Candidate[],
  wanted: string | null,
): Candidate | undefined {
  if (wanted === null || candidates.length === 0) return undefined;
  const line = candidates.find(({ id }) => id === wanted);
  if (line === undefined) throw new FileRefusal(message('noSuchChoice'), 'choice');
  return line;
}

/** The line that lines make if each continues the one before it; undefined if one does not, or jumps. */
export function joinedLine(candidates: readonly Candidate[]): Candidate | undefined {
  const goOn = candidates.slice(1).every(({ points, jumpM }, index) => {
    const [end, start] = [candidates[index]?.points.at(-1), points[0]];
    const isNear = end !== undefined && start !== undefined && distanceM(end, start) <= JOINS_M;
    return isNear && jumpM === undefined;
  });
  const [first] = candidates;
  if (!goOn || first === undefined || first.jumpM !== undefined) return undefined;
  return { ...first, points: candidates.flatMap(({ points }) => points) };
}
