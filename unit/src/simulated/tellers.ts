// Chooses how the unit of a bus tells its records, if it does not speak the unit interface.
import { UnitProtocol } from '@ridewatch/contract/unit-protocols';
import type { SimulatedBus } from './bus.ts';
import { createEgtsTeller } from './egts-teller.ts';
import { createJt808Registrar, type Jt808RegistrarOptions } from './jt808-registrar.ts';
import { createJt808Teller } from './jt808-teller.ts';
import { createOsmandTeller } from './osmand-teller.ts';
import type { Teller, TellerOptions } from './teller.ts';

/** A port of a server. */
export interface Address {
  readonly host: string;
  readonly port: number;
}

/** The addresses at which a server takes each protocol; a fleet has a bus of each one that is named. */
export interface ProtocolAddresses {
  readonly egts?: Address;
  readonly jt808?: Address;
  /** With the path. */
  readonly osmand?: string;
}

/** The protocols of which a fleet has a bus. */
export function protocolsOf(addresses: ProtocolAddresses): UnitProtocol[] {
  return UnitProtocol.options.filter((protocol) => addresses[protocol] !== undefined);
}

/** The source of a registrar's video. */
export type VideoSource = Pick<Jt808RegistrarOptions, 'days' | 'studio' | 'ffmpegPath'>;

/**
 * Creates the teller of a bus; undefined for a bus whose unit speaks the unit interface.
 * @param video makes what its cameras see; undefined: nothing is made, and the unit takes no commands
 */
export function createTeller(
  bus: SimulatedBus,
  { egts, jt808, osmand }: ProtocolAddresses,
  options: TellerOptions,
  video?: VideoSource,
): Teller | undefined {
  const { protocol } = bus;
  if (protocol === undefined) return undefined;
  const { name, id } = protocol;
  if (name === 'egts' && egts) return createEgtsTeller(egts, id, options);
  if (name === 'jt808' && jt808) {
    const parts = video && { ...video, ...options, seed: video.days.seed, bus, phone: id };
    return createJt808Teller(jt808, id, options, parts && createJt808Registrar(parts));
  }
  if (name === 'osmand' && osmand) return createOsmandTeller(osmand, id, options);
  throw new Error(`The fleet has no address for ${name}.`);
}
