// Plans the simulated fleet. The first twelve buses are written by hand and cover every kind of bus; further ones
// repeat them with other plates. The world of a bus depends on its device id and the seed, not on the number of buses.
import type { FleetPlan } from '@ridewatch/contract/fleet';
import { roublesOf } from '@ridewatch/contract/money';
import type { UnitProtocol } from '@ridewatch/contract/unit-protocols';
import type { SimulatedBus, SimulatedCamera } from './bus.ts';
import { FLAT_FARE_KOPECKS, listCosts, SALARY_PERCENT } from './fares.ts';
import { planProtocolBus } from './protocol-buses.ts';
import { type LineName, lines } from './routes/lines.ts';

/** IANA zone of the demo's fleet. */
export const DEMO_ZONE = 'Europe/Moscow';

/** Customers by name. The second route of each has no bus, so that one can be moved to it. */
const customers = [
  { name: 'Иван', surname: 'Петров', groups: ['156', '156к'] },
  { name: 'Анна', surname: 'Соколова', groups: ['670к', '156к'] },
  { name: 'ООО «Затон-Транс»', groups: ['156к', '670к'] },
] as const satisfies readonly { name: string; surname?: string; groups: readonly LineName[] }[];

/** How the revenue of a route is calculated. */
export const calculations = { '156': 'CALCULATION', '670к': 'FIXED', '156к': 'FIXED' } as const;

function door(number: number, name = `Дверь ${number}`): SimulatedCamera {
  return { name, streamId: `door${number}`, live: false, door: number };
}
function cabin(number: number, name = `Салон ${number}`): SimulatedCamera {
  return { name, streamId: `cabin${number}`, live: true, door: null };
}

type Model = Omit<SimulatedBus, 'deviceId' | 'zone'> & {
  /** IANA zone if it is not the fleet's. */
  zone?: string;
  customer: number;
};

const large = { type: 'VMS', demand: 1, doors: 3, seats: 28, standing: 72 } as const;
const small = { type: 'VMS', demand: 1, doors: 2, seats: 18, standing: 25 } as const;
const allDay = { firstMin: 5 * 60 + 30, lastMin: 21 * 60 };
const doors3 = [door(1), door(2), door(3)];

const models: readonly Model[] = [
  {
    ...large,
    customer: 0,
    name: 'А 472 КМ',
    description: 'ЛиАЗ-5292, низкопольный',
    line: '156',
    group: '156',
    departures: allDay,
    cameras: [...doors3, cabin(1, 'Салон 1')],
  },
  {
    ...large,
    customer: 0,
    name: 'В 118 ОР',
    description: 'Ночной автобус, ЛиАЗ-5292',
    line: '156',
    group: '156',
    departures: 'round the clock',
    demand: 0.9,
    cameras: [...doors3, cabin(1), cabin(2, 'Кабина водителя')],
  },
  {
    ...small,
    customer: 1,
    name: 'Е 305 ТХ',
    description: 'ПАЗ Вектор Next',
    line: '670к',
    group: '670к',
    departures: allDay,
    cameras: [door(1, 'Дверь 1 передняя'), door(2), cabin(1)],
  },
  {
    ...small,
    customer: 2,
    name: 'К 640 АВ',
    description: 'Подвоз к метро в часы пик',
    line: '156к',
    group: '156к',
    departures: { firstMin: 6 * 60 + 10, lastMin: 20 * 60 + 10 },
    pause: { fromMin: 10 * 60 + 30, toMin: 15 * 60 + 30 },
    cameras: [door(2, 'Дверь 2 средняя')],
  },
  {
    ...large,
    customer: 0,
    name: 'М 027 СЕ',
    description: 'ЛиАЗ-5292',
    line: '156',
    group: '156',
    departures: { firstMin: 6 * 60, lastMin: 20 * 60 + 30 },
    cameras: [...doors3],
  },
  {
    ...small,
    customer: 1,
    name: 'Н 551 УК',
    description: 'Дежурный, по времени Екатеринбурга',
    zone: 'Asia/Yekaterinburg',
    line: '670к',
    group: '670к',
    departures: 'round the clock',
    demand: 0.8,
    cameras: [door(1), door(2), cabin(1)],
  },
  {
    ...small,
    customer: 2,
    name: 'О 203 РМ',
    description: 'Счётчик без видео',
    type: 'COUNTER',
    line: '156к',
    group: '156к',
    departures: allDay,
    cameras: [],
  },
  {
    ...small,
    customer: 1,
    name: 'Р 764 НВ',
    description: 'Только камеры салона',
    line: '670к',
    group: '670к',
    departures: allDay,
    cameras: [cabin(1), cabin(2), { ...cabin(3, 'Задняя площадка'), isBroken: true }],
  },
  {
    ...large,
    customer: 0,
    name: 'С 989 ВА',
    description: 'Резерв, без маршрута',
    line: '156',
    group: null,
    departures: { firstMin: 6 * 60 + 40, lastMin: 19 * 60 },
    demand: 0.8,
    cameras: [door(1), door(2), door(3, 'Дверь 3 задняя')],
  },
  {
    ...small,
    customer: 2,
    name: 'Т 416 ЕО',
    description: 'ПАЗ-3204',
    line: '156к',
    group: '156к',
    departures: allDay,
    cameras: [door(1), door(2), cabin(1, 'Касса')],
  },
  {
    ...small,
    customer: 1,
    name: 'У 832 МС',
    description: 'ПАЗ Вектор Next',
    line: '670к',
    group: '670к',
    departures: { firstMin: 6 * 60, lastMin: 20 * 60 },
    demand: 0.9,
    cameras: [door(1), door(2)],
  },
  {
    ...small,
    customer: 2,
    name: 'Х 150 КТ',
    description: 'ПАЗ-3204',
    line: '156к',
    group: '156к',
    departures: { firstMin: 5 * 60 + 50, lastMin: 20 * 60 + 40 },
    cameras: [door(1), door(2)],
    breaksDown: true,
  },
];

/** The demo's number of buses whose units speak the unit interface. */
export const DEMO_BUSES = models.length;
const PLATE_LETTERS = [...'АВЕКМНОРСТУХ'];

export interface PlannedFleet {
  buses: readonly SimulatedBus[];
  /** The plan for the server. */
  plan: FleetPlan;
}

/** The seed of the demo. */
export const DEMO_SEED = 1;

/**
 * Plans a fleet of `count` buses; a larger fleet contains the smaller ones.
 * @param seed each seed has its own buses, because records of two worlds for one bus would add up
 * @param zone IANA zone of the fleet
 * @param protocols other protocols, of each of which it has one bus more
 */
export function planFleet(
  count: number,
  seed = DEMO_SEED,
  zone = DEMO_ZONE,
  protocols: readonly UnitProtocol[] = [],
): PlannedFleet {
  const planned = [
    ...Array.from({ length: count }, (_, index) => planBus(index, seed, zone)),
    ...protocols.map((protocol) =>
      planProtocolBus(protocol, { seed, isDemo: seed === DEMO_SEED }, zone),
    ),
  ];
  const plan: FleetPlan = {
    customers: customers.map(({ groups, ...customer }, index) => ({
      ...customer,
      groups: groups.map((name) => plannedRoute(name)),
      buses: planned.filter((one) => one.customer === index).map(({ bus }) => plannedBus(bus)),
    })),
  };
  return { buses: planned.map(({ bus }) => bus), plan };
}

function planBus(
  index: number,
  seed: number,
  zone: string,
): { bus: SimulatedBus; customer: number } {
  const model = models[index % models.length];
  if (model === undefined) throw new Error('There is no model of a bus.');
  const { customer, ...bus } = model;
  const isDemo = seed === DEMO_SEED;
  const deviceId = `SIM-${isDemo ? '' : `${seed}-`}${String(index + 1).padStart(6, '0')}`;
  const known = index < models.length ? model.name : plate(index);
  const name = isDemo ? known : `${known} (${seed})`;
  return { customer, bus: { zone, ...bus, deviceId, name } };
}

/** A unique plate for every index below 12³ × 1000; the region distinguishes it from the plates written by hand. */
function plate(index: number): string {
  const letter = (place: number): string =>
    PLATE_LETTERS[Math.floor(index / PLATE_LETTERS.length ** place) % PLATE_LETTERS.length] ?? 'А';
  const digits = String((index * 37) % 1000).padStart(3, '0');
  return `${letter(0)} ${digits} ${letter(1)}${letter(2)} 77`;
}

function plannedRoute(name: LineName): FleetPlan['customers'][number]['groups'][number] {
  const { line } = lines[name];
  const type_calculation = calculations[name];
  return {
    name,
    type_calculation,
    track: line.track.map(({ latitude, longitude }) => ({ latitude, longitude })),
    stops: line.stops.map(({ name: stop, latitude, longitude, direction }, index) => ({
      name: stop,
      latitude,
      longitude,
      routeDirection: direction,
      ...(index === 0 ? { terminal: 'first' as const } : {}),
      ...(index === line.firstReverse - 1 ? { terminal: 'last' as const } : {}),
    })),
    ...(type_calculation === 'CALCULATION' ? { costs: listCosts(line) } : {}),
  };
}

function plannedBus(bus: SimulatedBus): FleetPlan['customers'][number]['buses'][number] {
  return {
    name: bus.name,
    description: bus.description,
    type: bus.type,
    timezone: bus.zone,
    gps_trackable: true,
    group: bus.group,
    device_id: bus.deviceId,
    ...(bus.protocol && { protocol: bus.protocol.name, protocol_id: bus.protocol.id }),
    capacity_seated: bus.seats,
    capacity_standing: bus.standing,
    ...(bus.group !== null && {
      fare: roublesOf(FLAT_FARE_KOPECKS),
      salary_percent: SALARY_PERCENT,
    }),
    cameras: bus.cameras.map(({ name, streamId, live, door: number }) => ({
      name,
      stream_id: streamId,
      live,
      door: number,
    })),
  };
}
