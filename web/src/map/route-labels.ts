import type { MapLine, MapPlace } from './map-parts.ts';

/** The name of a route, at a place of its line. */
export interface RouteLabel {
  readonly name: string;
  readonly place: MapPlace;
}

/** The places where a name may lie, as shares of the line: away from the terminals, at which buses stand. */
const SHARES = [0.2, 0.8, 0.5, 0.35, 0.65] as const;

/** Puts the names of routes on their lines, each as far as possible from those before it. */
export function labelsOf(lines: readonly MapLine[]): RouteLabel[] {
  const labels: RouteLabel[] = [];
  for (const { role, name, stretches } of lines) {
    const places = stretches.flatMap((stretch) => stretch.places);
    const found = SHARES.flatMap((share) => places[Math.round(share * (places.length - 1))] ?? []);
    if (role !== 'route' || name === undefined) continue;
    const room = (place: MapPlace): number =>
      Math.min(...labels.map((other) => squareOf(place, other.place)));
    const [best] = found
      .map((place) => ({ place, room: room(place) }))
      .sort((a, b) => (a.room === b.room ? 0 : b.room - a.room));
    if (best) labels.push({ name, place: best.place });
  }
  return labels;
}

function squareOf(a: MapPlace, b: MapPlace): number {
  const across = (a.longitude - b.longitude) * Math.cos((a.latitude * Math.PI) / 180);
  return across ** 2 + (a.latitude - b.latitude) ** 2;
}
