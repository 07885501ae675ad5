// Simulates a fleet that drives up and down a street. A bus's place and passengers depend on the time alone, so that a
// unit may start, stop and continue anywhere without a state.
import type { FleetPlan } from '@ridewatch/contract/fleet';

const HOME = { latitude: 55.75, longitude: 37.6 };
const DEGREES_A_METRE_NORTH = 1 / 111_195;
const DEGREES_A_METRE_EAST = 1 / 62_580;
const STOPS_A_WAY = 11;
const GAP_M = 500;
const SPEED_M_S = 10;
const DWELL_S = 20;
const LAYOVER_S = 120;
const OTHER_SIDE_M = 12;
const GAP_S = GAP_M / SPEED_M_S;
const STEP_S = GAP_S + DWELL_S;
const WAY_S = LAYOVER_S + (STOPS_A_WAY - 1) * STEP_S - DWELL_S;
/** Duration of both directions with both layovers, s. */
export const LAP_S = 2 * WAY_S;
/** Largest error of receivers on each axis. */
const NOISE_M = 3;
const RIDERS_A_STOP = 2;

/** A record without its number. */
export type Said = Readonly<Record<string, unknown>>;

/** Plans a demo customer with that street as a route, and buses on it without cameras. */
export function planOfStreet(buses: number): FleetPlan {
  const stop = (
    step: number,
    isBack: boolean,
  ): FleetPlan['customers'][0]['groups'][0]['stops'][0] => ({
    name: `Остановка ${step + 1}`,
    ...placeAt(step * GAP_M, isBack),
    routeDirection: isBack ? 'REVERSE' : 'FORWARD',
    ...(step === 0 && !isBack && { terminal: 'first' as const }),
    ...(step === STOPS_A_WAY - 1 && !isBack && { terminal: 'last' as const }),
  });
  const steps = Array.from({ length: STOPS_A_WAY }, (_, step) => step);
  const stops = [
    ...steps.map((step) => stop(step, false)),
    ...steps.toReversed().map((step) => stop(step, true)),
  ];
  const track = stops.map(({ latitude, longitude }) => ({ latitude, longitude }));
  const group = { name: '1', type_calculation: 'FIXED' as const, track, stops };
  return {
    customers: [
      {
        name: 'Иван',
        groups: [group],
        buses: Array.from({ length: buses }, (_, index) => ({
          name: `Автобус ${index + 1}`,
          type: 'VMS' as const,
          timezone: 'Europe/Moscow',
          gps_trackable: true,
          group: group.name,
          device_id: `bench-${index + 1}`,
          cameras: [],
        })),
      },
    ],
  };
}

/**
 * The records of one second.
 * @param second whole seconds since 1970 UTC
 * @param phaseS lead over the first bus, s
 */
export function saidIn(second: number, phaseS: number): Said[] {
  const lapS = (second + phaseS) % LAP_S;
  const isBack = lapS >= WAY_S;
  const wayS = lapS % WAY_S;
  const { drivenM, dwellS } = stepAt(wayS);
  const isStanding = dwellS !== undefined;
  const noise = (salt: number): number =>
    (scatter(second * 2 + salt + phaseS * 7919) - 0.5) * 2 * NOISE_M;
  const place = placeAt(isBack ? (STOPS_A_WAY - 1) * GAP_M - drivenM : drivenM, isBack);
  const time = new Date(second * 1000).toISOString();
  const said: Said[] = [
    {
      type: 'position',
      time,
      latitude: rounded(place.latitude + noise(0) * DEGREES_A_METRE_NORTH),
      longitude: rounded(place.longitude + noise(1) * DEGREES_A_METRE_EAST),
      speed_kmh: isStanding ? 0 : 36,
      course: isBack ? 270 : 90,
      satellites: 11,
      hdop: 0.9,
    },
  ];
  const passenger = { type: 'passenger', time, door: 1, passenger: 'adult', count: RIDERS_A_STOP };
  // Passengers leave first.
  if (dwellS === 4 && drivenM > 0) said.push({ ...passenger, direction: 'exited' });
  if (dwellS === 9) said.push({ ...passenger, direction: 'entered' });
  return said;
}

// Each direction begins with the layover at its terminal and ends where the next one begins.
function stepAt(wayS: number): { drivenM: number; dwellS: number | undefined } {
  if (wayS < LAYOVER_S) return { drivenM: 0, dwellS: wayS };
  const step = Math.floor((wayS - LAYOVER_S) / STEP_S);
  const inStepS = (wayS - LAYOVER_S) % STEP_S;
  if (inStepS < GAP_S) return { drivenM: step * GAP_M + inStepS * SPEED_M_S, dwellS: undefined };
  return { drivenM: (step + 1) * GAP_M, dwellS: inStepS - GAP_S };
}

function placeAt(eastM: number, isBack: boolean): { latitude: number; longitude: number } {
  return {
    latitude: HOME.latitude + (isBack ? OTHER_SIDE_M * DEGREES_A_METRE_NORTH : 0),
    longitude: HOME.longitude + eastM * DEGREES_A_METRE_EAST,
  };
}

// A pseudo-random number between 0 and 1 for a seed.
function scatter(seed: number): number {
  let bits = Math.imul(seed ^ (seed >>> 15), 0x2c1b3c6d);
  bits = Math.imul(bits ^ (bits >>> 12), 0x297a2d39);
  return ((bits ^ (bits >>> 15)) >>> 0) / 2 ** 32;
}

function rounded(value: number): number {
  return Number(value.toFixed(6));
}
