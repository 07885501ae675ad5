import type { FleetPlan } from '@ridewatch/contract/fleet';
import type { Shift, SimulatedBus, SimulatedCamera } from './world/bus.ts';
import { type Route, routes } from './world/route.ts';

const MOSCOW = 'Europe/Moscow';
/** The customers of the demo; the server makes them with these names. */
const CUSTOMERS = [
  { name: 'Иван', surname: 'Петров' },
  { name: 'Анна', surname: 'Соколова' },
  { name: 'ООО «Затон-Транс»' },
] as const;
const DAYTIME: readonly Shift[] = [{ fromHour: 5.5, toHour: 23.25 }];
const PEAKS: readonly Shift[] = [
  { fromHour: 6.5, toHour: 10 },
  { fromHour: 16, toHour: 19.5 },
];
const ALL_DAY: readonly Shift[] = [{ fromHour: 0, toHour: 24 }];
const LETTERS = [...'АВЕКМНОРСТУХ'];

type Special = Partial<Omit<SimulatedBus, 'deviceId' | 'name' | 'route' | 'cameras'>> & {
  readonly route?: '156' | '156к' | '670к';
  readonly cameras?: readonly SimulatedCamera[];
  readonly plate?: string;
};

const door = (number: number, name = `Дверь ${number}`): SimulatedCamera => ({
  name,
  stream_id: `door${number}`,
  live: false,
  door: number,
});
const cabin = (number: number, name = `Салон ${number}`): SimulatedCamera => ({
  name,
  stream_id: `cabin${number}`,
  live: true,
  door: null,
});

// The first dozen are drawn by hand, so that every case of the product is there; the rest repeat the usual ones.
const specials: readonly Special[] = [
  { plate: 'А 472 КМ', route: '156' },
  { plate: 'В 118 ОР', route: '156', doors: [1, 2, 3], shifts: ALL_DAY },
  {
    plate: 'Е 903 ТУ',
    route: '156',
    cameras: [door(1), door(2), cabin(1), cabin(2, 'Кабина водителя')],
  },
  {
    plate: 'К 045 ХА',
    route: '156к',
    shifts: PEAKS,
    doors: [1],
    cameras: [door(1, 'Передняя дверь')],
    demand: 0.8,
  },
  { plate: 'М 771 СС', route: '670к', customer: 'Анна' },
  { plate: 'Н 230 АВ', route: '670к', customer: 'Анна', cameras: [door(1), door(2)] },
  { plate: 'О 518 ЕК', route: '670к', customer: 'Анна', type: 'COUNTER', cameras: [] },
  { plate: 'Р 006 НМ', route: '670к', customer: 'Анна', group: null },
  {
    plate: 'С 664 ОО',
    route: '156к',
    customer: 'ООО «Затон-Транс»',
    timezone: 'Asia/Yekaterinburg',
    shifts: ALL_DAY,
  },
  {
    plate: 'Т 359 ВВ',
    route: '156к',
    customer: 'ООО «Затон-Транс»',
    doors: [2],
    cameras: [door(2, 'Средняя дверь'), cabin(1)],
    demand: 0.6,
  },
  {
    plate: 'У 287 МК',
    route: '156к',
    customer: 'ООО «Затон-Транс»',
    cameras: [cabin(1), cabin(2)],
  },
  { plate: 'Х 940 РТ', route: '156к', customer: 'ООО «Затон-Транс»', group: null },
];

/**
 * The first buses of the simulated fleet; the same ones whatever their number.
 * @param count at least 1
 */
export function fleetOf(count: number): SimulatedBus[] {
  return Array.from({ length: count }, (_, index) => busOf(index));
}

function busOf(index: number): SimulatedBus {
  const special = specials[index] ?? {};
  const customer = CUSTOMERS[index % CUSTOMERS.length]?.name ?? '';
  const route = routeNamed(special.route ?? routes[index % routes.length]?.name ?? '156');
  const doors = special.doors ?? [1, 2];
  const type = special.type ?? 'VMS';
  return {
    description: type === 'COUNTER' ? 'Счётчик без видео' : 'Видеорегистратор и счётчики дверей',
    customer: special.customer ?? (specials[index] === undefined ? customer : 'Иван'),
    group: route.name,
    timezone: MOSCOW,
    shifts: DAYTIME,
    capacitySeated: 28,
    capacityStanding: 57,
    demand: 0.7 + ((index * 37) % 7) / 10,
    ...special,
    type,
    doors,
    deviceId: `sim-${String(index + 1).padStart(4, '0')}`,
    name: special.plate ?? plateOf(index),
    route,
    cameras: special.cameras ?? [...doors.map((number) => door(number)), cabin(1)],
  };
}

function routeNamed(name: string): Route {
  const route = routes.find((one) => one.name === name);
  if (route === undefined) throw new Error(`no route ${name}`);
  return route;
}

function plateOf(index: number): string {
  const letter = (step: number): string => LETTERS[(index * step + step) % LETTERS.length] ?? 'А';
  return `${letter(5)} ${String((index * 613) % 1000).padStart(3, '0')} ${letter(7)}${letter(11)}`;
}

/** The plan by which a server sets these buses up. */
export function planOf(buses: readonly SimulatedBus[]): FleetPlan {
  const byCustomer = Map.groupBy(buses, (bus) => bus.customer);
  return {
    customers: [...byCustomer].map(([name, own]) => {
      const surname = CUSTOMERS.find((one) => one.name === name);
      return {
        name,
        ...(surname !== undefined && 'surname' in surname ? { surname: surname.surname } : {}),
        groups: routes
          .filter((route) => own.some((bus) => bus.group === route.name))
          .map((route) => groupOf(route)),
        buses: own.map((bus) => ({
          name: bus.name,
          description: bus.description,
          type: bus.type,
          timezone: bus.timezone,
          gps_trackable: true,
          group: bus.group,
          device_id: bus.deviceId,
          capacity_seated: bus.capacitySeated,
          capacity_standing: bus.capacityStanding,
          cameras: bus.cameras.map((camera) => ({ ...camera })),
        })),
      };
    }),
  };
}

function groupOf(route: Route): FleetPlan['customers'][number]['groups'][number] {
  return {
    name: route.name,
    type_calculation: route.type_calculation,
    track: route.path.map(([latitude, longitude]) => ({ latitude, longitude })),
    stops: route.stops.map(({ name, latitude, longitude, routeDirection, terminal }) => ({
      name,
      latitude,
      longitude,
      routeDirection,
      ...(terminal === undefined ? {} : { terminal }),
    })),
    ...(route.type_calculation === 'CALCULATION' ? { costs: costsOf(route) } : {}),
  };
}

/** Zones of 5 km: a ride costs 30 roubles, and 12 more for each zone that it reaches further. */
const ZONE_M = 5000;

function costsOf(route: Route): { from: number; to: number; cost: string }[] {
  return route.stops.flatMap((from, fromIndex) =>
    route.stops.slice(fromIndex + 1).map((to, offset) => {
      const zones = Math.floor((to.atM - from.atM) / ZONE_M);
      return { from: fromIndex, to: fromIndex + 1 + offset, cost: `${30 + 12 * zones}.00` };
    }),
  );
}
