import { chanceOf } from '../random.ts';
import type { Km } from './drawn.ts';

/** Places between two drawn ones. */
const STEPS = 12;

/** Rounds a drawn line: a Catmull–Rom spline through its places. */
export function roundedLine(course: readonly Km[]): Km[] {
  const at = (index: number): Km =>
    course[Math.min(Math.max(index, 0), course.length - 1)] ?? [0, 0];
  const line: Km[] = [at(0)];
  for (let index = 1; index < course.length; index += 1) {
    const four = [at(index - 2), at(index - 1), at(index), at(index + 1)] as const;
    for (let step = 1; step <= STEPS; step += 1) {
      const share = step / STEPS;
      line.push([between(four, 0, share), between(four, 1, share)]);
    }
  }
  return line;
}

// https://en.wikipedia.org/wiki/Centripetal_Catmull–Rom_spline, the uniform kind.
function between([before, from, to, after]: readonly [Km, Km, Km, Km], axis: 0 | 1, t: number) {
  const [p0, p1, p2, p3] = [before[axis], from[axis], to[axis], after[axis]];
  return (
    0.5 *
    (2 * p1 +
      (p2 - p0) * t +
      (2 * p0 - 5 * p1 + 4 * p2 - p3) * t * t +
      (3 * p1 - p0 - 3 * p2 + p3) * t ** 3)
  );
}

/** Makes the ring around a line. */
export function wideLine(line: readonly Km[], widthKm: number): Km[] {
  const side = (half: number) =>
    line.map(([east, north], index): Km => {
      const [fromEast, fromNorth] = line[index - 1] ?? [east, north];
      const [toEast, toNorth] = line[index + 1] ?? [east, north];
      const length = Math.hypot(toEast - fromEast, toNorth - fromNorth) || 1;
      return [
        east - ((toNorth - fromNorth) / length) * half,
        north + ((toEast - fromEast) / length) * half,
      ];
    });
  return [...side(widthKm / 2), ...side(-widthKm / 2).toReversed()];
}

/** Makes the ring of a green or a yard: a field with corners. @param seed another one has other corners */
export function fieldAround([east, north]: Km, radiusKm: number, seed: number): Km[] {
  const chance = chanceOf('field', seed);
  const corners = 6 + chance.choose([1, 1, 1, 1]);
  return Array.from({ length: corners }, (_, index) => {
    const angle = ((index + chance.between(-0.25, 0.25)) / corners) * 2 * Math.PI;
    const radius = radiusKm * chance.between(0.7, 1.1);
    return [east + radius * Math.cos(angle), north + radius * Math.sin(angle)];
  });
}

/**
 * Sorts the parts of lines by where they lie.
 * @param mostKm the greatest distance that is asked for
 * @returns whether a place is nearer to a line than a distance, km
 */
export function nearnessTo(
  lines: readonly (readonly Km[])[],
  mostKm: number,
): (place: Km, km: number) => boolean {
  const cells = new Map<string, [Km, Km][]>();
  const cellOf = (value: number) => Math.floor(value / mostKm);
  for (const line of lines) {
    for (const [index, to] of line.entries()) {
      const from = line[index - 1];
      if (from === undefined) continue;
      const cellsOf = (axis: 0 | 1) =>
        range(
          cellOf(Math.min(from[axis], to[axis]) - mostKm),
          cellOf(Math.max(from[axis], to[axis]) + mostKm),
        );
      for (const column of cellsOf(0)) {
        for (const row of cellsOf(1)) {
          const key = `${column} ${row}`;
          cells.set(key, [...(cells.get(key) ?? []), [from, to]]);
        }
      }
    }
  }
  return (place, km) => {
    const parts = cells.get(`${cellOf(place[0])} ${cellOf(place[1])}`) ?? [];
    return parts.some(([from, to]) => distanceKm(place, from, to) < km);
  };
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

function distanceKm(place: Km, from: Km, to: Km): number {
  const [east, north] = [to[0] - from[0], to[1] - from[1]];
  const along = (place[0] - from[0]) * east + (place[1] - from[1]) * north;
  const share = Math.min(Math.max(along / (east * east + north * north || 1), 0), 1);
  return Math.hypot(place[0] - from[0] - share * east, place[1] - from[1] - share * north);
}
