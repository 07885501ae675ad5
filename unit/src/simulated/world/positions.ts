import { chanceOf } from './chance.ts';
import { moveOn, type Stretch } from './drive.ts';
import { placeAt } from './route.ts';
import type { ServiceDay } from './service-day.ts';

const METRES_A_DEGREE = 111_195;
/** GPS is off by this much, and the error wanders slowly, m. */
const NOISE_M = 2.5;
const WANDER_MS = 30_000;

export interface GpsFix {
  readonly timeMs: number;
  readonly latitude: number;
  readonly longitude: number;
  readonly speedKmh: number;
  readonly course: number;
  readonly satellites: number;
  readonly hdop: number;
}

/**
 * What the receiver of a bus says during its shifts, every `everyMs` on whole multiples of it.
 * @param fromMs first moment, ms since 1970 UTC
 * @param toMs first moment after the stretch
 */
export function* listFixes(
  seed: number,
  service: ServiceDay,
  fromMs: number,
  toMs: number,
  everyMs: number,
): Generator<GpsFix> {
  const { bus, stretches } = service;
  let next = 0;
  for (const shift of service.shifts) {
    const endMs = Math.min(toMs, shift.endMs);
    const startMs = Math.ceil(Math.max(fromMs, shift.startMs) / everyMs) * everyMs;
    for (let timeMs = startMs; timeMs < endMs; timeMs += everyMs) {
      while ((stretches[next + 1]?.startMs ?? Number.POSITIVE_INFINITY) <= timeMs) next += 1;
      const { distanceM, speedMps } = placeOn(stretches[next], timeMs);
      const place = placeAt(bus.route, distanceM);
      const [north, east] = errorAt(seed, bus.deviceId, timeMs);
      const perLongitude = METRES_A_DEGREE * Math.cos((place.latitude * Math.PI) / 180);
      yield {
        timeMs,
        latitude: round(place.latitude + north / METRES_A_DEGREE, 6),
        longitude: round(place.longitude + east / perLongitude, 6),
        speedKmh: round(speedMps * 3.6, 1),
        course: Math.round(place.course) % 360,
        satellites: 9 + (Math.floor(timeMs / WANDER_MS) % 5),
        hdop: round(0.8 + (Math.floor(timeMs / WANDER_MS) % 4) / 10, 1),
      };
    }
  }
}

function placeOn(
  stretch: Stretch | undefined,
  timeMs: number,
): { distanceM: number; speedMps: number } {
  if (stretch === undefined || timeMs < stretch.startMs) {
    return { distanceM: stretch?.fromM ?? 0, speedMps: 0 };
  }
  if (timeMs >= stretch.endMs) return { distanceM: stretch.toM, speedMps: 0 };
  return moveOn(stretch, timeMs);
}

// Between two draws the error goes over evenly, so that a standing bus drifts instead of jumping.
function errorAt(seed: number, deviceId: string, timeMs: number): [number, number] {
  const slot = Math.floor(timeMs / WANDER_MS);
  const share = (timeMs % WANDER_MS) / WANDER_MS;
  const [n1, e1] = drawError(seed, deviceId, slot);
  const [n2, e2] = drawError(seed, deviceId, slot + 1);
  return [n1 + (n2 - n1) * share, e1 + (e2 - e1) * share];
}

const draws = new Map<string, [number, number]>();
const MOST_DRAWS = 10_000;

function drawError(seed: number, deviceId: string, slot: number): [number, number] {
  const key = `${seed}:${deviceId}:${slot}`;
  const known = draws.get(key);
  if (known !== undefined) return known;
  const chance = chanceOf(seed, deviceId, slot, 'gps');
  const drawn: [number, number] = [chance.normal() * NOISE_M, chance.normal() * NOISE_M];
  if (draws.size >= MOST_DRAWS) draws.clear();
  draws.set(key, drawn);
  return drawn;
}

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
