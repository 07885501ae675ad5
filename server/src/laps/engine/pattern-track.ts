// The line of a pattern without a track of its own: the parts of the route's line between the pattern's stops.
import { cutLine, type Line } from './geometry/line.ts';
import type { Place } from './geometry/plane.ts';
import { buildPath, type Route, type RoutePath, type RouteStop } from './route-path.ts';

/**
 * Cuts the tracks of patterns out of the track of their route: of each direction the part from the pattern's first stop
 * to its last one. The function that it returns takes the stops of a pattern, in order within each direction, and gives
 * null if the pattern has other stops than the route or another order, and for a route without a fitting track.
 * @param route its default pattern; the path of an intricate one takes a second, so it is built once
 */
export function createPatternTracks(
  route: Pick<Route, 'stops' | 'track'>,
): (stops: readonly RouteStop[]) => Place[] | null {
  const path = buildPath({ ...route, terminalStopId: null, lastTerminalStopId: null });
  return (stops) => (path === null || path.straight ? null : trackOn(path, stops));
}

function trackOn(path: RoutePath, stops: readonly RouteStop[]): Place[] | null {
  const indexOf = new Map(path.stops.map(({ stop }, index) => [stop.id, index]));
  const legs: { first: number; last: number }[] = [];
  for (const direction of ['FORWARD', 'REVERSE'] as const) {
    const own = stops.filter((stop) => stop.direction === direction);
    const indexes = own.map(({ id }) => indexOf.get(id) ?? -1);
    const isPart = indexes.every((one, n) => one > (indexes[n - 1] ?? -1));
    if (!isPart) return null;
    const [first, last] = [indexes[0], indexes.at(-1)];
    if (first === undefined || last === undefined) continue;
    const before = legs.at(-1);
    // The bus turns where it does on the whole route.
    if (before?.last === first - 1) before.last = last;
    else legs.push({ first, last });
  }
  const line: Line = { x: [...path.x], y: [...path.y], ringM: null };
  const isWhole = legs[0]?.first === 0 && legs.at(-1)?.last === path.stops.length - 1;
  return legs.flatMap(({ first, last }, n) => {
    const from = path.stops[first]?.at ?? 0;
    const isEnd = isWhole && path.closed && n === legs.length - 1;
    const to = isEnd ? path.lengthM : (path.stops[last]?.at ?? path.lengthM);
    const { x, y } = cutLine(line, from, to);
    return x.map((east, k) => ({
      latitude: path.plane.latitudeOf(y[k] ?? 0),
      longitude: path.plane.longitudeOf(east),
    }));
  });
}
