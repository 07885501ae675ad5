import table from '../routes/routes.json' with { type: 'json' };

export interface RouteStop {
  readonly name: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly routeDirection: 'FORWARD' | 'REVERSE';
  readonly terminal?: 'first' | 'last';
  /** Along the loop from its start, m. */
  readonly atM: number;
}

/** One closed loop there and back, along streets of Moscow. */
export interface Route {
  readonly name: string;
  readonly type_calculation: 'FIXED' | 'CALCULATION';
  readonly lengthM: number;
  readonly path: readonly (readonly [number, number])[];
  readonly stops: readonly RouteStop[];
}

export interface Place {
  readonly latitude: number;
  readonly longitude: number;
  /** Degrees clockwise from north. */
  readonly course: number;
}

/** The routes that the simulated fleet drives. */
export const routes = table as unknown as readonly Route[];

const EARTH_M = 6_371_000;
const radians = (degrees: number): number => (degrees * Math.PI) / 180;

const lengths = new WeakMap<Route, Float64Array>();

/** Where on a loop a distance from its start lies; distances past the end go round again. */
export function placeAt(route: Route, distanceM: number): Place {
  const sums = lengthsOf(route);
  const whole = sums.at(-1) ?? 0;
  const at = ((distanceM % whole) + whole) % whole;
  let low = 0;
  let high = sums.length - 1;
  while (low < high - 1) {
    const middle = (low + high) >> 1;
    if ((sums[middle] ?? 0) <= at) low = middle;
    else high = middle;
  }
  const [lat1, lon1] = route.path[low] ?? [0, 0];
  const [lat2, lon2] = route.path[low + 1] ?? [lat1, lon1];
  const from = sums[low] ?? 0;
  const share = (at - from) / Math.max(1e-9, (sums[low + 1] ?? from) - from);
  const east = (lon2 - lon1) * Math.cos(radians(lat1));
  const course = (Math.atan2(east, lat2 - lat1) * 180) / Math.PI;
  return {
    latitude: lat1 + (lat2 - lat1) * share,
    longitude: lon1 + (lon2 - lon1) * share,
    course: (course + 360) % 360,
  };
}

function lengthsOf(route: Route): Float64Array {
  const known = lengths.get(route);
  if (known !== undefined) return known;
  const sums = new Float64Array(route.path.length);
  for (let index = 1; index < route.path.length; index += 1) {
    const [lat1, lon1] = route.path[index - 1] ?? [0, 0];
    const [lat2, lon2] = route.path[index] ?? [0, 0];
    const north = radians(lat2 - lat1) * EARTH_M;
    const east = radians(lon2 - lon1) * EARTH_M * Math.cos(radians(lat1));
    sums[index] = (sums[index - 1] ?? 0) + Math.hypot(north, east);
  }
  lengths.set(route, sums);
  return sums;
}
