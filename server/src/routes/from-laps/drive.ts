// Takes from a drive of a bus what a route needs: the places where it stood, and the line between them.
import type { Place } from '../../laps/engine/geometry/plane.ts';
import type { PositionBlocks } from '../../positions/read.ts';
import { type Driven, drivenOf, lineBetween } from './lap-track.ts';
import { findRounds, typicalRound } from './rounds.ts';
import { type Leg, placesStoodAt, type Stay, type StoodAt } from './stays.ts';

/** Records of a bus in a period. */
export interface Drive {
  readonly stays: readonly Stay[];
  /** Of laps on a route; without any, rounds are found in the positions. */
  readonly legs: readonly Leg[];
  /** Null when neither rounds nor a line are wanted. */
  readonly positions: PositionBlocks | null;
}

/** The parts of a drive that are wanted. */
export interface Wanted {
  /** The line of the legs, in this period without any, ms since 1970 UTC; null: none. */
  readonly line: { readonly startMs: number; readonly endMs: number } | null;
  /** Of a drive without legs: the places of all its rounds, or of one of median duration. */
  readonly rounds: 'all' | 'typical';
}

/** A drive, and what is wanted of it. */
export interface DriveQuestion extends Wanted {
  readonly drive: Drive;
}

/** The parts of a drive that a route takes. */
export interface DriveAnswer {
  readonly places: readonly StoodAt[];
  /** Empty unless it was wanted. */
  readonly line: readonly Place[];
}

/** Finds the places of a drive and its line. */
export function followDrive({ drive, line, rounds }: DriveQuestion): DriveAnswer {
  const driven = drive.positions === null ? null : drivenOf(drive.positions);
  const legs = legsOf(drive, driven, rounds);
  return {
    places: placesStoodAt(drive.stays, legs),
    line:
      driven === null || line === null
        ? []
        : lineBetween(driven, legs[0]?.startMs ?? line.startMs, legs.at(-1)?.endMs ?? line.endMs),
  };
}

function legsOf(
  { legs, stays }: Drive,
  driven: Driven | null,
  rounds: Wanted['rounds'],
): readonly Leg[] {
  if (legs.length > 0 || driven === null) return legs;
  const found = findRounds(driven, stays);
  return rounds === 'all' ? found.flat() : typicalRound(found);
}
