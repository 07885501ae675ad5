import type { FleetPlan } from '@ridewatch/contract/fleet';

/** A demo login, and the name of its customer, the first of the plan. */
export const OWNER = 'owner1';
const OWNED = 'Иван';
const BUSES_A_CUSTOMER = 250;
const GROUPS = 5;
/** Fragments of a bus's day. */
export const FRAGMENTS = 60;
const LETTERS = ['А', 'В', 'Е', 'К', 'М', 'Н', 'О', 'Р', 'С', 'Т', 'У', 'Х'] as const;

/**
 * Plans the fleet of a large installation: customers with routes, number plates as names, three cameras a bus.
 * @param buses number of buses
 */
export function planOf(buses: number): FleetPlan {
  const customers = Math.ceil(buses / BUSES_A_CUSTOMER);
  return {
    customers: Array.from({ length: customers }, (_, customer) => ({
      name: customer === 0 ? OWNED : `Парк ${customer + 1}`,
      groups: Array.from({ length: GROUPS }, (_group, group) => ({
        name: `М${group + 1}`,
        type_calculation: 'FIXED' as const,
        track: [],
        stops: [],
      })),
      buses: Array.from(
        { length: Math.min(BUSES_A_CUSTOMER, buses - customer * BUSES_A_CUSTOMER) },
        (_bus, at) => busOf(customer * BUSES_A_CUSTOMER + at),
      ),
    })),
  };
}

function busOf(index: number): FleetPlan['customers'][number]['buses'][number] {
  const letter = (step: number): string =>
    LETTERS[Math.floor(index / step) % LETTERS.length] ?? 'А';
  // Seven and a thousand are coprime, so that neighbours differ; the letters distinguish thousands.
  const digits = String((index * 7) % 1000).padStart(3, '0');
  return {
    name: `${letter(1000)} ${digits} ${letter(1)}${letter(12)}`,
    type: 'VMS',
    timezone: 'Europe/Moscow',
    gps_trackable: true,
    group: index % (GROUPS + 1) === 0 ? null : `М${index % (GROUPS + 1)}`,
    device_id: `bench-${index + 1}`,
    cameras: [1, 2, 3].map((door) => ({
      name: `Дверь ${door}`,
      stream_id: `door${door}`,
      live: false,
      door,
    })),
  };
}

/** Stops in each direction of the long route. */
export const STOPS_A_WAY = 60;

/** Plans a bus on a route of sixty stops in each direction, with revenue by prices. */
export function longRoute(): FleetPlan {
  const stops = Array.from({ length: 2 * STOPS_A_WAY }, (_, index) => {
    const isForward = index < STOPS_A_WAY;
    const step = isForward ? index : 2 * STOPS_A_WAY - 1 - index;
    return {
      name: `Улица ${step + 1}-я Парковая, дом ${step + 1}`,
      latitude: 55.7 + step / 250,
      longitude: isForward ? 37.6 : 37.6002,
      routeDirection: isForward ? ('FORWARD' as const) : ('REVERSE' as const),
      ...(index === 0 && { terminal: 'first' as const }),
      ...(index === STOPS_A_WAY - 1 && { terminal: 'last' as const }),
    };
  });
  const route = { name: 'Длинный', type_calculation: 'CALCULATION' as const, track: [], stops };
  const bus = { ...busOf(0), group: route.name, device_id: 'bench-long' };
  return { customers: [{ name: OWNED, groups: [route], buses: [bus] }] };
}

/** Records of a day: a fragment every four minutes in the morning, with a passenger in each. */
export function fragmentsOf(day: string): Readonly<Record<string, unknown>>[] {
  const startMs = Date.parse(`${day}T05:00:00Z`);
  const at = (seconds: number): string => new Date(startMs + seconds * 1000).toISOString();
  return Array.from({ length: FRAGMENTS }, (_, index) => index * 240).flatMap((seconds) => [
    {
      type: 'passenger',
      time: at(seconds + 5),
      door: 1,
      direction: 'entered',
      passenger: 'adult',
    },
    {
      type: 'segment',
      time: at(seconds + 20),
      camera: 'door1',
      start_time: at(seconds),
      end_time: at(seconds + 20),
      video: 'kept',
    },
  ]);
}
