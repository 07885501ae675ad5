import { findUnitPorts, type UnitPorts } from '@ridewatch/contract/admin-unit-ports';
import type { UnitProtocol } from '@ridewatch/contract/unit-protocols';
import { useEndpoint } from '../../calls/api.ts';

/** A port that is not open is looked at so often, ms. */
const LOOK_MS = 10_000;

/** Why nothing can come by a port: the configuration switches it off, or it could not be opened. */
type Shut = 'off' | 'closed';

/**
 * Why no unit of a protocol can send now; undefined: it can, or that is not known yet.
 * @param isAsking whether a port that is not open is asked for again
 */
export function useShutPort(protocol: UnitProtocol, isAsking: boolean): Shut | undefined {
  const { data } = useEndpoint(
    findUnitPorts,
    {},
    {
      refetchInterval: ({ state }) =>
        isAsking && shutOf(state.data, protocol) !== undefined && LOOK_MS,
    },
  );
  return shutOf(data, protocol);
}

function shutOf(ports: UnitPorts | undefined, protocol: UnitProtocol): Shut | undefined {
  const own = ports?.protocols.find((one) => one.protocol === protocol);
  // The OsmAnd form is taken at the address of the product, too.
  if (own === undefined || protocol === 'osmand') return undefined;
  if (own.port === null) return 'off';
  return own.closed === null ? undefined : 'closed';
}
