import * as contract from '@ridewatch/contract/admin-unit-ports';
import { checkAdministers } from '../access/administration.ts';
import { serve } from '../core/http/http.ts';
import type { Feature } from '../deps.ts';

/** Tells the ports of other protocols, as this process is configured: all processes have one environment. */
export const addUnitPorts: Feature = (app, { config }, auth) => {
  const protocols = [
    { protocol: 'egts' as const, port: config.egtsPort, from: config.egtsFrom },
    { protocol: 'jt808' as const, port: config.jt808Port, from: config.jt808From },
    { protocol: 'osmand' as const, port: config.osmandPort, from: config.osmandFrom },
  ].map(({ protocol, port, from }) => ({
    ...{ protocol, port: port === 0 ? null : port, is_limited: from !== undefined },
  }));
  serve(app, auth, contract.findUnitPorts, 'user', async ({ viewer }) => {
    checkAdministers(viewer);
    return { public_url: config.publicUrl ?? null, protocols };
  });
};
