import type { Positions } from '../track/track.ts';
import type { Place } from './plane.ts';

/**
 * The middle of the extremes of positions, which does not depend on their order. It lies across the antimeridian if that
 * is shorter.
 */
export function middlePlace({
  latitude,
  longitude,
}: Pick<Positions, 'latitude' | 'longitude'>): Place {
  if (latitude.length === 0) return { latitude: 0, longitude: 0 };
  const [west, east] = extremes(longitude);
  const [south, north] = extremes(latitude);
  const [westOf, eastOf] =
    east - west > 180
      ? extremes(longitude.map((one) => (one < 0 ? one + 360 : one)))
      : [west, east];
  const middle = (westOf + eastOf) / 2;
  return { latitude: (south + north) / 2, longitude: middle > 180 ? middle - 360 : middle };
}

function extremes(values: Float64Array): readonly [least: number, most: number] {
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  for (const value of values) {
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  return [least, most];
}
