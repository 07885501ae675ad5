// The places of a port to which units known by an id send. Many units may come from one address, as those behind a platform
// or a carrier do; but no address, and no /64 of IPv6, has all places, whatever ids it knows.
import { isIPv6, type Socket } from 'node:net';
import type { FaultLog } from '../../core/fault-log.ts';
import { plainAddress } from './addresses.ts';
import { createPlaces, type Place, type Places } from './places.ts';
import type { Session } from './tcp-listener.ts';
import { MOST_CONNECTIONS } from './tcp-port.ts';

/** Connections from one address that have brought something of a unit. Beyond them the one silent for longest gives way. */
const MOST_OF_ADDRESS = 10_000;
const IPV6_GROUPS = 8;

/** Makes the places of one port. */
export const createUnitPlaces = (): Places => createPlaces(MOST_CONNECTIONS, MOST_OF_ADDRESS);

/** The place of a unit's connection. Its session says when something of a unit has come, and when it ends. */
export type UnitPlace = Pick<Place, 'keep' | 'leave'>;

/** A port of units. */
export interface UnitPort {
  readonly name: string;
  readonly places: Places;
  readonly faults: FaultLog;
}

/**
 * Opens the session of a connection. One that gets no place is closed, and the log says so.
 * @param open makes the session
 */
export function openInPlace(
  port: UnitPort,
  socket: Socket,
  open: (place: UnitPlace) => Session,
): Session {
  const place = takeUnitPlace(port, socket);
  return place === undefined ? NO_SESSION : open(place);
}

/**
 * Takes the place of a connection. One that gets none is closed, and the log says so.
 * @returns undefined when it got none
 */
export function takeUnitPlace(
  { name, places, faults }: UnitPort,
  socket: Socket,
): UnitPlace | undefined {
  const address = plainAddress(socket.remoteAddress);
  const place = places.take(networkOf(address), () => socket.destroy());
  if (place !== undefined) return place;
  faults.fail(name, 'full', { listener: name, address }, 'a port has no place for a connection');
  socket.destroy();
  return undefined;
}

/** The name of all that may be one sender: of IPv6 the first 64 bits, as one machine may have all addresses behind them. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const [before = [], after = []] = address
    .split('::')
    .map((some) => some.split(':').filter((group) => group !== ''));
  const zeros = Array(Math.max(0, IPV6_GROUPS - before.length - after.length)).fill('0');
  return [...before, ...zeros, ...after].slice(0, IPV6_GROUPS / 2).join(':');
}

const NO_SESSION: Session = { stop: () => Promise.resolve() };
