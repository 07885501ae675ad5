import type { LapStop, TrackPoint } from '@ridewatch/contract/laps';
import type { MapPlace, MapStretch } from '../../map/map-parts.ts';

/** Lower limits of the shades of speed, km/h. */
export const SPEED_STEPS = [0, 10, 20, 40, 60] as const;
/** From this share of the capacity on, the capacity is the maximum of the scale. */
const MOSTLY = 0.6;
/** Lower limits of the shades of load, as shares of the maximum. */
export const LOAD_STEPS = [0, 0.2, 0.4, 0.6, 0.8] as const;

/**
 * The maximum of the scale of load: the capacity if most of it was used, else the greatest load.
 * @param seats capacity of the bus; 0 if unknown
 */
export function fullBus(most: number, seats: number): number {
  return seats > 0 && most > seats * MOSTLY ? Math.max(most, seats) : Math.max(most, 1);
}

/** Splits a track into stretches of one shade of speed; without a speed the shade stays. */
export function stretchesBySpeed(track: readonly TrackPoint[]): MapStretch[] {
  let shade = 0;
  return stretches(track, (point) => {
    if (point.speed_kmh !== null) shade = shadeOf(point.speed_kmh, SPEED_STEPS);
    return shade;
  });
}

/**
 * Splits a track into stretches of one shade of load.
 * @param full the maximum of the scale
 */
export function stretchesByLoad(
  track: readonly TrackPoint[],
  stops: readonly Pick<LapStop, 'departure' | 'passengers'>[],
  full: number,
): MapStretch[] {
  const changes = stops
    .flatMap(({ departure, passengers }) =>
      departure === null ? [] : [{ fromMs: Date.parse(departure), passengers }],
    )
    .sort((a, b) => a.fromMs - b.fromMs);
  let next = 0;
  let inside = 0;
  return stretches(track, (point) => {
    const momentMs = Date.parse(point.time);
    for (let change = changes[next]; change && change.fromMs <= momentMs; change = changes[next]) {
      inside = change.passengers;
      next += 1;
    }
    return shadeOf(Math.max(0, inside) / Math.max(full, 1), LOAD_STEPS);
  });
}

function shadeOf(value: number, steps: readonly number[]): number {
  return Math.max(
    0,
    steps.findLastIndex((step) => value >= step),
  );
}

// Neighbouring stretches share a point, so that no gap shows between them.
function stretches(
  track: readonly TrackPoint[],
  shadeAt: (point: TrackPoint) => number,
): MapStretch[] {
  const found: { places: MapPlace[]; shade: number }[] = [];
  for (const point of track) {
    const shade = shadeAt(point);
    const last = found.at(-1);
    if (!last || last.shade !== shade) {
      const border = last?.places.at(-1);
      found.push({ places: border ? [border, point] : [point], shade });
    } else last.places.push(point);
  }
  return found.filter(({ places }) => places.length > 1);
}
