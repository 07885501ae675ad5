// The buses of the fleet whose units speak other protocols than the unit interface: all count, and the registrar of one has
// cameras.
import type { UnitProtocol } from '@ridewatch/contract/unit-protocols';
import type { SimulatedBus } from './bus.ts';

type Model = Omit<SimulatedBus, 'deviceId' | 'zone' | 'protocol'> & {
  /** Its index among the customers of the plan. */
  readonly customer: number;
};

const counter = { type: 'COUNTER', cameras: [], demand: 1 } as const;
/** Keys name the channels of the registrar. */
const cameras = [
  { name: 'Дверь 1', streamId: 'ch1', live: false, door: 1 },
  { name: 'Салон 1', streamId: 'ch2', live: true, door: null },
] as const;

const models: Readonly<Record<UnitProtocol, Model>> = {
  egts: {
    ...counter,
    ...{ customer: 0, line: '156', group: '156' },
    ...{ name: 'А 731 ТР', description: 'Терминал ГЛОНАСС, протокол EGTS' },
    ...{ doors: 3, seats: 28, standing: 72 },
    departures: { firstMin: 5 * 60 + 30, lastMin: 21 * 60 },
  },
  // The protocol names no door.
  jt808: {
    ...{ type: 'VMS', cameras, demand: 1 },
    ...{ customer: 1, line: '670к', group: '670к' },
    ...{ name: 'В 264 ЕХ', description: 'Регистратор с камерами, протокол JT/T 808' },
    ...{ doors: 1, seats: 18, standing: 25 },
    departures: { firstMin: 6 * 60, lastMin: 20 * 60 },
  },
  osmand: {
    ...counter,
    ...{ customer: 2, line: '156к', group: '156к' },
    ...{ name: 'Е 918 КН', description: 'Телефон и счётчик, запросы OsmAnd' },
    ...{ doors: 2, seats: 18, standing: 25 },
    departures: { firstMin: 6 * 60 + 20, lastMin: 20 * 60 },
  },
};

/**
 * Plans the bus of a protocol.
 * @param world its seed; each has buses and ids of its own, also beside the demo's
 * @param zone IANA zone
 */
export function planProtocolBus(
  protocol: UnitProtocol,
  world: { readonly seed: number; readonly isDemo: boolean },
  zone: string,
): { bus: SimulatedBus; customer: number } {
  const { customer, ...bus } = models[protocol];
  const deviceId = `SIM-${world.isDemo ? '' : `${world.seed}-`}${protocol.toUpperCase()}`;
  const name = world.isDemo ? bus.name : `${bus.name} (${world.seed})`;
  const digits = String(world.seed).padStart(10, '0');
  // An IMEI, the number of a SIM card, a name.
  const id = { egts: `86000${digits}`, jt808: `13${digits}`, osmand: deviceId }[protocol];
  return { customer, bus: { ...bus, zone, deviceId, name, protocol: { name: protocol, id } } };
}
