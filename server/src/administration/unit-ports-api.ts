import * as contract from '@ridewatch/contract/admin-unit-ports';
import type { UnitProtocol } from '@ridewatch/contract/unit-protocols';
import { checkAdministers } from '../access/administration.ts';
import { listClosedPorts } from '../core/closed-ports.ts';
import { serve } from '../core/http/http.ts';
import { listRefused } from '../core/refused-senders.ts';
import type { Feature } from '../deps.ts';

/** Listeners of the video of JT/T 808 terminals; JT808_FROM limits them, too. */
const VIDEO: readonly string[] = contract.VideoListener.options;

/**
 * Tells the ports of other protocols, as this process is configured: all processes have one environment. Where one of them
 * could not open a port, the port is closed.
 */
export const addUnitPorts: Feature = (app, { config, database: { db }, clock }, auth) => {
  const protocols = [
    { protocol: 'egts' as const, port: config.egtsPort, from: config.egtsFrom },
    { protocol: 'jt808' as const, port: config.jt808Port, from: config.jt808From },
    { protocol: 'osmand' as const, port: config.osmandPort, from: config.osmandFrom },
  ].map(({ protocol, port, from }) => ({
    ...{ protocol, port: port === 0 ? null : port, is_limited: from !== undefined },
  }));
  const videoPorts = { jt1078: config.jt1078Port, ftp: config.ftpPort };
  const off = contract.VideoListener.options.filter((listener) => videoPorts[listener] === 0);
  serve(app, auth, contract.findUnitPorts, 'user', async ({ viewer }) => {
    checkAdministers(viewer);
    const closed = await listClosedPorts(db);
    const refused = viewer.role === 'ADMIN' ? await listRefused(db, clock.nowMs()) : undefined;
    const faultOf = (protocol: UnitProtocol, port: number | null): contract.PortFault | null =>
      closed.find((one) => one.listener === protocol && one.port === port)?.reason ?? null;
    const refusalOf = (protocol: UnitProtocol) => {
      const listeners = [protocol, ...(protocol === 'jt808' ? VIDEO : [])];
      const own = listeners.flatMap((listener) => refused?.get(listener) ?? []);
      return own.sort((a, b) => b.at.localeCompare(a.at))[0] ?? null;
    };
    return {
      public_url: config.publicUrl ?? null,
      protocols: protocols.map((one) => ({
        ...{ ...one, closed: faultOf(one.protocol, one.port) },
        last_refused: one.is_limited ? refusalOf(one.protocol) : null,
      })),
      closed_video_ports: closed.filter(({ listener }) => VIDEO.includes(listener)),
      off_video_ports: off,
    };
  });
};
