// A short route of two directions, and a unit's records of laps on it with known passengers.
import type { FleetPlan } from '@ridewatch/contract/fleet';
import type { LapRecalculation } from '@ridewatch/contract/lap-recalculation';
import { ask, waitFor } from './product.ts';

const HOME = { latitude: 55.7, longitude: 37.6 };
const METRES_PER_DEGREE = 111_195;
const GAP_M = 600;
const OTHER_SIDE_M = 12;
const STOPS_EACH_WAY = 5;
const SPEED_M_S = 10;
const SAMPLE_S = 5;
const DWELL_S = 30;
const LAYOVER_S = 240;

type Group = FleetPlan['customers'][number]['groups'][number];
type Place = Group['track'][number];

/** Stops of both directions for `FleetPlan`: forward 0 to 4, reverse 5 to 9. */
const stops: Group['stops'] = Array.from({ length: 2 * STOPS_EACH_WAY }, (_, index) => {
  const isForward = index < STOPS_EACH_WAY;
  const step = isForward ? index : 2 * STOPS_EACH_WAY - 1 - index;
  return {
    name: `Остановка ${step + 1}`,
    ...placeAt(step * GAP_M, isForward),
    routeDirection: isForward ? 'FORWARD' : 'REVERSE',
    ...(index === 0 && { terminal: 'first' as const }),
    ...(index === STOPS_EACH_WAY - 1 && { terminal: 'last' as const }),
  };
});

const track: Place[] = stops.map(({ latitude, longitude }) => ({ latitude, longitude }));

/** Passengers who get on (+) or off (−) in every lap, by stop: 4 ride 0 to 2, 6 ride 0 to 4, 8 ride 5 to 9. */
const passengers: Readonly<Record<number, number>> = { 0: 10, 2: -4, 4: -6, 5: 8, 9: -8 };

/** The same in a lap that turns at stop 2. */
const fewPassengers: Readonly<Record<number, number>> = { 0: 4, 2: -4 };
const SHORT_STOPS: readonly number[] = [0, 1, 2, 7, 8, 9];

/** Prices of these rides, roubles, which give the revenue of a lap. */
const costs = [
  { from: 0, to: 2, cost: '40.00' },
  { from: 0, to: 4, cost: '60.00' },
  { from: 5, to: 9, cost: '50.00' },
];
export const LAP_ROUBLES = '920.00';
export const SHORT_LAP_ROUBLES = '160.00';

/**
 * Plans two buses of a demo customer whose account has no edit right: one on the route, with revenue by its prices, and
 * one on a route of which only the ends are known.
 */
export function planOf(timezone: string): FleetPlan {
  const bus = (name: string, group: string, device_id: string) => ({
    name,
    type: 'COUNTER' as const,
    timezone,
    gps_trackable: true,
    group,
    device_id,
    cameras: [],
  });
  const ends = stops.filter((_, index) => [0, 4, 5, 9].includes(index));
  return {
    customers: [
      {
        name: 'Анна',
        groups: [
          { name: 'Речной', type_calculation: 'CALCULATION', track, stops, costs },
          { name: 'Голый', type_calculation: 'FIXED', track: [], stops: ends },
        ],
        buses: [bus('Р 100 РР', 'Речной', 'ROUTE-1'), bus('Г 200 ГГ', 'Голый', 'ROUTE-2')],
      },
    ],
  };
}

/** Duration of `laps`, ms. */
export function lengthMs(laps: number): number {
  const last = drive(0, laps).at(-1);
  return Date.parse(String(last?.time));
}

/**
 * Records of a unit that drives laps from a moment on and then stays at the first terminal.
 * @param isShort whether a lap, from 0, turns at stop 2
 */
export function drive(
  startMs: number,
  laps: number,
  isShort: (lap: number) => boolean = () => false,
): Record<string, unknown>[] {
  const records: Record<string, unknown>[] = [];
  let ms = startMs;
  const stand = (index: number, seconds: number, people = passengers) => {
    const stop = stops[index];
    if (!stop) throw new Error(`no stop ${index}`);
    const count = people[index] ?? 0;
    if (count !== 0) {
      const direction = count > 0 ? 'entered' : 'exited';
      const time = new Date(ms + (seconds * 1000) / 2).toISOString();
      records.push({
        type: 'passenger',
        time,
        door: 1,
        direction,
        passenger: 'adult',
        count: Math.abs(count),
      });
    }
    for (let s = 0; s < seconds; s += SAMPLE_S) tell(stop, 0);
  };
  const tell = ({ latitude, longitude }: Place, speed: number) => {
    const time = new Date(ms).toISOString();
    records.push({ type: 'position', time, latitude, longitude, speed_kmh: speed * 3.6 });
    ms += SAMPLE_S * 1000;
  };
  for (let lap = 0; lap < laps; lap += 1) {
    const called = isShort(lap) ? SHORT_STOPS : [...stops.keys()];
    const people = isShort(lap) ? fewPassengers : passengers;
    const turn = isShort(lap) ? 2 : STOPS_EACH_WAY - 1;
    for (const index of called) {
      const isForward = index < STOPS_EACH_WAY;
      // At the far terminal the bus stands on one side of the street only.
      const isLast = index === turn || index === 2 * STOPS_EACH_WAY - 1;
      stand(index, isLast || index === 0 ? LAYOVER_S : DWELL_S, people);
      const from = (isForward ? index : 2 * STOPS_EACH_WAY - 1 - index) * GAP_M;
      for (let s = SAMPLE_S; !isLast && s < GAP_M / SPEED_M_S; s += SAMPLE_S) {
        tell(placeAt(from + (isForward ? 1 : -1) * s * SPEED_M_S, isForward), SPEED_M_S);
      }
    }
  }
  stand(0, LAYOVER_S);
  return records;
}

function placeAt(northM: number, isForward: boolean): Place {
  const perDegree = METRES_PER_DEGREE * Math.cos((HOME.latitude * Math.PI) / 180);
  return {
    latitude: HOME.latitude + northM / METRES_PER_DEGREE,
    longitude: HOME.longitude + (isForward ? OTHER_SIDE_M : 0) / perDegree,
  };
}

/**
 * Recalculates the laps of a bus's day, so that they need not wait for their backlog. It is over when this returns,
 * because a bus has one recalculation at a time.
 * @throws Error unless it is done within the limit of `waitFor`
 */
export async function recalculateDay(
  url: string,
  token: string,
  busId: number,
  day: string,
): Promise<void> {
  const address = `/api/bus-stop/update/${busId}`;
  const range = { dateFrom: day, dateTo: day, preview: false };
  await ask(url, token, 'POST', address, range);
  await waitFor(async () => {
    const { recalculation } = await ask<{ recalculation: LapRecalculation | null }>(
      url,
      token,
      'GET',
      address,
    );
    return recalculation?.state === 'done';
  }, `the laps of ${day}`);
}
