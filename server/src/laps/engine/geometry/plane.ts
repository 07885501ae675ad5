// Projects places to metres on a plane that touches the earth at one point. Within 50 km, the extent of a bus route,
// the error is below 0.1 %.

/** Length of a degree of latitude on a sphere of 6,371,008.8 m (IUGG mean radius). */
const METRES_PER_DEGREE = 111_195;

export interface Place {
  readonly latitude: number;
  readonly longitude: number;
}

export interface Plane {
  /** Metres east of the origin. */
  readonly xOf: (longitude: number) => number;
  /** Metres north of the origin. */
  readonly yOf: (latitude: number) => number;
  readonly longitudeOf: (x: number) => number;
  readonly latitudeOf: (y: number) => number;
}

/** Degrees of longitude from one meridian east to another on the shorter side, −180 to 180. */
export function degreesEast(from: number, to: number): number {
  const direct = to - from;
  if (direct > 180) return direct - 360;
  return direct < -180 ? direct + 360 : direct;
}

/** The meridian at a number of degrees east of another; both −180 to 180. */
export function eastOf(longitude: number, degrees: number): number {
  const direct = longitude + degrees;
  if (direct > 180) return direct - 360;
  return direct < -180 ? direct + 360 : direct;
}

/** A plane through a place. */
export function planeAt(origin: Place): Plane {
  const perLongitude = METRES_PER_DEGREE * Math.cos((origin.latitude * Math.PI) / 180);
  return {
    // On the shorter side, for routes that cross the antimeridian.
    xOf: (longitude) =>
      (((((longitude - origin.longitude + 180) % 360) + 360) % 360) - 180) * perLongitude,
    yOf: (latitude) => (latitude - origin.latitude) * METRES_PER_DEGREE,
    longitudeOf: (x) => ((((origin.longitude + x / perLongitude + 180) % 360) + 360) % 360) - 180,
    latitudeOf: (y) => origin.latitude + y / METRES_PER_DEGREE,
  };
}

/** Metres between two places that lie within some 50 km of each other. */
export function distanceM(a: Place, b: Place): number {
  const plane = planeAt(a);
  return Math.hypot(plane.xOf(b.longitude), plane.yOf(b.latitude));
}
