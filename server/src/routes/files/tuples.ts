// Coordinates of KML: places apart by white space, the numbers of a place by commas. Programs also write spaces after the
// commas, commas between the places, or both.
import type { Point } from '@ridewatch/contract/primitives';
import { distanceM } from '../../laps/engine/geometry/plane.ts';
import { placeOf } from './coordinates.ts';

/** Places of a text; null for one that is not on earth. */
export type Tuples = readonly (Point | null)[];

/**
 * Reads places. A run of more than three numbers is places of three numbers each or of two, whichever line is shorter:
 * heights taken for degrees lie far away.
 * @returns undefined when a text is no list of places
 */
export function readTuples(text: string): Tuples | undefined {
  const runs = text
    .replace(/\s*,\s*/g, ',')
    .split(/\s+/)
    .map((run) => run.replace(/^,+|,+$/g, ''))
    .filter((run) => run !== '');
  const places: (Point | null)[] = [];
  for (const run of runs) {
    const numbers = run.split(',');
    const read = numbers.length <= 3 ? [placeIn(numbers)] : placesIn(numbers);
    if (read === undefined) return undefined;
    for (const place of read) places.push(place);
  }
  return places;
}

const placeIn = ([longitude, latitude]: readonly string[]): Point | null =>
  placeOf(latitude, longitude);

function placesIn(numbers: readonly string[]): readonly Point[] | undefined {
  const ways = [3, 2]
    .filter((size) => numbers.length % size === 0)
    .map((size) =>
      Array.from({ length: numbers.length / size }, (_, n) =>
        placeIn(numbers.slice(n * size, (n + 1) * size)),
      ),
    )
    .filter((places): places is Point[] => !places.includes(null));
  return ways.toSorted((a, b) => lengthOf(a) - lengthOf(b))[0];
}

// There are more places of two numbers, so a line through as many gaps as the shorter list has is compared.
function lengthOf(places: readonly Point[]): number {
  const metres = places.reduce(
    (sum, place, n) => sum + distanceM(places[n - 1] ?? place, place),
    0,
  );
  return metres / Math.max(1, places.length - 1);
}
