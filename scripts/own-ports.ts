// The ports of a product that is measured, perhaps beside another one: with the usual ports the two would disturb each
// other, and the later one would be measured without the units that need them.
import { findFreePort } from '@ridewatch/server/src/core/db/free-port.ts';
import { Environment } from '@ridewatch/server/src/core/environment.ts';

const VARIABLES = ['PORT', 'EGTS_PORT', 'JT808_PORT', 'JT1078_PORT', 'FTP_PORT'];
/** Ports for the data of FTP: the server skips those that others have. */
const PASSIVE_PORTS = 20;

/** The variables of a product that has free ports in place of its usual ones. @throws Error when there are none */
export async function ownPorts(): Promise<Record<string, string>> {
  // A product with the usual ones may start later.
  const usual = new Set<unknown>(Object.values(Environment.parse({})));
  const ports = new Set<number>();
  while (ports.size <= VARIABLES.length) {
    const port = await findFreePort();
    if (!usual.has(port)) ports.add(port);
  }
  const [passive = 0, ...others] = ports;
  return {
    ...Object.fromEntries(VARIABLES.map((name, at) => [name, String(others[at])])),
    FTP_PASSIVE_PORTS: `${passive}-${passive + PASSIVE_PORTS - 1}`,
    // Off unless somebody names one.
    OSMAND_PORT: '0',
  };
}
