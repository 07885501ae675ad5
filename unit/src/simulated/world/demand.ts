import type { Chance } from './chance.ts';
import type { Route } from './route.ts';

/** Who rides: from which stop of the loop to which. */
export interface Rider {
  readonly from: number;
  readonly to: number;
  readonly passenger: 'adult' | 'child';
}

// Rides wanted an hour against the busiest one, by local hour: two peaks, a quiet night.
const BY_HOUR = [
  0.04, 0.02, 0.02, 0.02, 0.05, 0.18, 0.5, 0.92, 1, 0.7, 0.48, 0.42, 0.44, 0.48, 0.5, 0.6, 0.78,
  0.96, 0.98, 0.74, 0.5, 0.34, 0.2, 0.1,
] as const;
/** People who board at a usual stop of a lap in the busiest hour. */
const BOARD_AT_PEAK = 2.6;
const USUAL_RIDE_M = 3200;

/**
 * Who boards at a stop of a lap. In the morning more people ride forward, in the evening back; everybody gets off
 * before the lap ends, since the bus empties at its terminal.
 * @param hour local hour with its fraction
 */
export function drawRiders(
  route: Route,
  stop: number,
  hour: number,
  demand: number,
  chance: Chance,
): Rider[] {
  const { stops } = route;
  const here = stops[stop];
  if (here === undefined || stop >= stops.length - 1) return [];
  const busy = BY_HOUR[Math.floor(hour) % 24] ?? 0;
  const morning = hour < 13;
  const withTheFlow = (here.routeDirection === 'FORWARD') === morning;
  // A place's draw is its own: a metro station is busy on every lap.
  const place = /метро/i.test(here.name) ? 2.4 : 0.6 + ((stop * 7919) % 11) / 12;
  const mean = BOARD_AT_PEAK * busy * demand * place * (withTheFlow ? 1.25 : 0.75);
  return Array.from({ length: chance.poisson(Math.min(mean, 20)) }, () => ({
    from: stop,
    to: drawDestination(route, stop, chance),
    passenger: chance.next() < childShare(hour) ? 'child' : 'adult',
  }));
}

// The further a stop, the fewer ride there; a ride of one stop is rare.
function drawDestination(route: Route, from: number, chance: Chance): number {
  const { stops } = route;
  const fromM = stops[from]?.atM ?? 0;
  const weights: number[] = [];
  for (let to = from + 1; to < stops.length; to += 1) {
    const stop = stops[to];
    const rideM = (stop?.atM ?? 0) - fromM;
    const usual = Math.exp(-(((rideM - USUAL_RIDE_M) / USUAL_RIDE_M) ** 2));
    weights.push(usual * (/метро/i.test(stop?.name ?? '') ? 2 : 1) + 1e-4);
  }
  let left = chance.next() * weights.reduce((sum, weight) => sum + weight, 0);
  const found = weights.findIndex((weight) => {
    left -= weight;
    return left < 0;
  });
  return from + 1 + Math.max(0, found);
}

function childShare(hour: number): number {
  return (hour >= 7 && hour < 9) || (hour >= 13 && hour < 16) ? 0.22 : 0.07;
}
