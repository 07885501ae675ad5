// Asks a server where it takes other protocols than the unit interface.
import { findAdminOverview } from '@ridewatch/contract/admin-sections';
import { findUnitPorts } from '@ridewatch/contract/admin-unit-ports';
import { OSMAND_PATH } from '@ridewatch/contract/unit-protocols';
import * as z from 'zod/mini';
import type { Administrator } from '../fleet-set-up.ts';
import type { ProtocolAddresses } from './tellers.ts';

const REFUSED = 'The ports of other protocols could not be read';

const Ports = z.object({
  protocols: z.array(z.object({ protocol: z.string(), port: z.nullable(z.int()) })),
});
const Overview = z.object({
  closed_ports: z.array(z.object({ listener: z.string(), port: z.int() })),
});

/** A protocol over TCP that the server does not take at present, and why. */
export interface ClosedProtocol {
  readonly name: string;
  readonly reason: string;
}

/**
 * Asks for the addresses. A port that another program has is left out: it would get what the units tell.
 * @param url of the server
 * @throws SetUpError when the server refuses it
 */
export async function findProtocolAddresses(
  administrator: Pick<Administrator, 'call'>,
  url: string,
): Promise<{ addresses: ProtocolAddresses; closed: readonly ClosedProtocol[] }> {
  const get = (path: string) => administrator.call('GET', path, undefined, REFUSED);
  const { protocols } = Ports.parse(await get(findUnitPorts.path));
  const { closed_ports } = Overview.parse(await get(findAdminOverview.path));
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '');
  const closed: ClosedProtocol[] = [];
  const addressOf = (protocol: 'egts' | 'jt808', name: string) => {
    const port = protocols.find((one) => one.protocol === protocol)?.port ?? null;
    if (port === null) {
      closed.push({ name, reason: 'the server has no port for it' });
      return undefined;
    }
    if (closed_ports.some((one) => one.listener === protocol && one.port === port)) {
      closed.push({ name, reason: `the server could not open port ${port}` });
      return undefined;
    }
    return { host, port };
  };
  const egts = addressOf('egts', 'EGTS');
  const jt808 = addressOf('jt808', 'JT/T 808');
  return {
    addresses: { ...(egts && { egts }), ...(jt808 && { jt808 }), osmand: `${url}${OSMAND_PATH}` },
    closed,
  };
}
