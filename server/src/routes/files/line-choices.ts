// The lines of a file among which the user chooses.

import type { Point } from '@ridewatch/contract/primitives';
import type { RouteProposal } from '@ridewatch/contract/route-proposal';
import { distanceM } from '../../laps/engine/geometry/plane.ts';
import { JUMP_M, joinParts } from './join-parts.ts';
import { message } from './messages.ts';
import { type FileLine, FileRefusal } from './route-file.ts';
import { shortened } from './short-text.ts';

/** Greatest distance from the end of a line to the start of one that continues it, metres. */
const JOINS_M = 200;
/** Most lines to choose from; of many the user searches one. */
const MAX_CHOICES = 2000;

/** A line that can be chosen. */
export interface Candidate {
  readonly id: string;
  readonly name: string | null;
  readonly points: readonly Point[];
  /** From how many parts it was joined. */
  readonly parts: number;
  /** The longest gap over which it is joined, if that is a jump, metres. */
  readonly jumpM?: number;
}

// A line whose parts lie far apart can be chosen as a whole, too.
export function candidatesOf(lines: readonly FileLine[]): Candidate[] {
  return lines.flatMap(({ name, parts, isOrdered }, index): Candidate[] => {
    const drawn = parts.filter((part) => part.length > 0);
    const { chains, longestGapM } = joinParts(drawn, isOrdered);
    const id = String(index);
    const whole = { id, name, points: chains.flat(), parts: drawn.length };
    if (longestGapM < JUMP_M) return [whole];
    const several = chains.flatMap((points, n): Candidate[] => {
      if (points.length < 2) return [];
      const part = `${n + 1}/${chains.length}`;
      return [
        { id: `${id}.${n}`, name: name === null ? part : `${name} · ${part}`, points, parts: 1 },
      ];
    });
    return [...several, { ...whole, jumpM: longestGapM }];
  });
}

export function choicesOf(candidates: readonly Candidate[]): RouteProposal['choices'] {
  if (candidates.length > MAX_CHOICES) {
    throw new FileRefusal(message('manyLines', candidates.length, MAX_CHOICES));
  }
  return candidates.map(({ id, name, points, jumpM }) => ({
    id,
    name: shortened(name) ?? String(Number(id) + 1),
    stops: 0,
    points: points.length,
    ...(jumpM !== undefined && { jump_m: Math.round(jumpM) }),
  }));
}

export function chosenLine(
  candidates: readonly Candidate[],
  wanted: string | null,
): Candidate | undefined {
  if (wanted === null || candidates.length === 0) return undefined;
  const line = candidates.find(({ id }) => id === wanted);
  if (line === undefined) throw new FileRefusal(message('noSuchChoice'), 'choice');
  return line;
}

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
