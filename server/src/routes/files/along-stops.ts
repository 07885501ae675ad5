// Some feeds have one shape for both directions. Its stops tell which way a trip drives it.
import type { Point } from '@ridewatch/contract/primitives';
import { planeAt } from '../../laps/engine/geometry/plane.ts';

/** Most points of a shape that are compared with the stops; of longer ones every n-th is. */
const MOST_COMPARED = 2000;

/**
 * A shape in the direction of a trip: turned if the places of more stops follow each other against it than with it. A
 * place that the shape passes twice tells nothing, so a loop is decided by all of its stops.
 */
export function alongStops(shape: readonly Point[], stops: readonly Point[]): readonly Point[] {
  const [first] = shape;
  if (first === undefined || stops.length < 2) return shape;
  const plane = planeAt(first);
  const step = Math.max(1, Math.floor(shape.length / MOST_COMPARED));
  const points = shape
    .filter((_, n) => n % step === 0 || n === shape.length - 1)
    .map(({ longitude, latitude }) => [plane.xOf(longitude), plane.yOf(latitude)] as const);
  const nearest = ({ longitude, latitude }: Point): number => {
    const [x, y] = [plane.xOf(longitude), plane.yOf(latitude)];
    let [found, leastM] = [0, Number.POSITIVE_INFINITY];
    for (const [n, [px, py]] of points.entries()) {
      const metres = Math.hypot(px - x, py - y);
      if (metres < leastM) [found, leastM] = [n, metres];
    }
    return found;
  };
  const order = stops.map(nearest);
  const steps = order.slice(1).map((place, n) => Math.sign(place - (order[n] ?? 0)));
  return steps.reduce((sum, one) => sum + one, 0) < 0 ? shape.toReversed() : shape;
}
